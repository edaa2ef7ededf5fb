"""A service that scores passes the checks that backends are held to."""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.testing import SOURCES, BackendConformance
from tests.plugins.scoring.imitations import SERVERS

_WORDS = ("Bom dia.", "A casa verde ficou longe.", "Sim", "O rio gelou, e depois choveu muito.")


class TestScoringService(BackendConformance):
    test_context_and_repeats_are_answered = None  # it takes strings
    opening = OpenRequest(source="en", target="pt")
    fails_on = ("half \ud83d a character",)
    sources = SOURCES[:8]
    targets = tuple(
        f"{source} {word}" for source, word in zip(sources, islice(cycle(_WORDS), 8), strict=True)
    )

    @pytest.fixture(params=["vLLM", "llama-cpp-python"])
    def served(self, request, start):
        return start(SERVERS[request.param])

    @pytest.fixture
    def spec(self, served):
        return served.imitated.spec(served.server.address)

    @pytest.fixture
    def backend(self, served):
        return served.open(target="pt")
