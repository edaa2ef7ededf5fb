"""Benchmarks are run by hand: a test keeps them importable."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.conftest import ROOT

NAMES = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py") if not path.stem.startswith("__"))


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_can_be_imported(name):
    module = import_module(f"benchmarks.{name}")
    assert module.__doc__
