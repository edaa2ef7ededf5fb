"""Each server that scores, in turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mtprobe.backends import ScorePair
from tests.plugins.conftest import Opened
from tests.plugins.imitations import Imitated
from tests.plugins.scoring.imitations import SERVERS

PAIRS = [
    ScorePair("The nurse is here.", "L'infirmière est là."),
    ScorePair("The nurse is here.", "L'infirmier est là."),
    ScorePair("The woman nurse is here.", "L'infirmière est là."),
    ScorePair("Hello, 你好!", "你好 🙂"),
    ScorePair("No.", "Não."),
]


@pytest.fixture(params=SERVERS)
def served(request: pytest.FixtureRequest, start: Callable[[Imitated], Opened]) -> Opened:
    return start(SERVERS[request.param])
