from __future__ import annotations

import pytest

from tests.engine.lm.models import VARIANTS, SmallLm, make


@pytest.fixture(scope="session", params=list(VARIANTS))
def variant(request, tmp_path_factory) -> SmallLm:
    return make(tmp_path_factory.mktemp("lm"), request.param)


@pytest.fixture(scope="session")
def small_lm(tmp_path_factory) -> SmallLm:
    return make(tmp_path_factory.mktemp("lm"), "grouped queries")
