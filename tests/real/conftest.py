"""Published models on disk. `make test` does not run these tests: `.ci/run` fetches the models and calls pytest again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import ROOT

FETCH = ROOT.parent / "shared" / "models" / "fetch"


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder of published models. Where CI could have fetched them, their absence is a failure."""
    if "MTPROBE_MODELS" in os.environ:
        return Path(os.environ["MTPROBE_MODELS"])
    reason = "MTPROBE_MODELS does not name the folder of published models"
    if os.environ.get("CI") == "true" and FETCH.exists():
        pytest.fail(f"{reason}, although {FETCH} is there", pytrace=False)
    pytest.skip(reason)
