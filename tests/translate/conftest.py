from __future__ import annotations

import pytest

from tests.translate.hf_models import MAKERS, Made, make, train_vocabularies


@pytest.fixture(scope="session")
def vocabularies(tmp_path_factory):
    return train_vocabularies(tmp_path_factory.mktemp("vocabularies"))


@pytest.fixture(scope="session", params=list(MAKERS))
def made(request, tmp_path_factory, vocabularies) -> Made:
    return make(request.param, tmp_path_factory.mktemp("models") / request.param, vocabularies)
