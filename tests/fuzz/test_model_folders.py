"""Damaged model folders: some in `make test`, 5,000 in `make soak`. Each works or is refused by an error that names it."""

from __future__ import annotations

import pytest

from tests.fuzz.watch import watch
from tests.soak import times

pytestmark = pytest.mark.slow

pytest.importorskip("torch")
pytest.importorskip("transformers")

CASES = times(52, 5_000)


def test_a_damaged_model_folder_works_or_is_refused_by_name(tmp_path):
    watched = watch("models", range(CASES), tmp_path)
    print(watched)  # noqa: T201 - shown with -s, and when it fails
    assert not watched.failures, watched.report()
    assert watched.outcomes["works"] > CASES / 20
    assert watched.outcomes["refused"] > CASES / 4
