"""Damaged suites and data files, thousands in `make test`, 100,000 in `make soak`: each loads or gives a located error."""

from __future__ import annotations

import shutil
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtprobe.errors import MissingData
from mtprobe.suite import Suite
from tests.fuzz.corpus import FORMATS, small, whole
from tests.fuzz.walk import SECONDS, any_seed, damaged, walk, within, write
from tests.fuzz.watch import watch
from tests.soak import times

pytestmark = pytest.mark.slow

CASES = times(800, 100_000)
SLICES = 4  # for workers that share the work


@pytest.mark.parametrize("seed", [*small(), *whole()], ids=lambda seed: f"{seed.name}-{seed.size}")
def test_what_is_damaged_here_is_good_before(tmp_path, seed):
    came = walk(write(seed.files, tmp_path))
    if isinstance(came, MissingData):
        assert "data-root" in str(came)
    else:
        assert isinstance(came, Suite), str(came)


def test_every_format_is_damaged():
    written = b"".join(data for seed in small() for data in seed.files.values()).decode()
    from mtprobe.datasets import FORMATS as KNOWN

    assert {name for name in KNOWN if name not in FORMATS and f"format: {name}" not in written} == set()


@pytest.mark.parametrize("part", range(SLICES))
def test_a_damaged_suite_loads_or_says_what_is_wrong_and_where(tmp_path, part):
    watched = watch("suites", range(part, CASES, SLICES), tmp_path)
    print(watched)  # noqa: T201 - shown with -s, and when it fails
    assert not watched.failures, watched.report()
    # damage that leaves nothing to load tests nothing but the parser
    assert watched.outcomes["loaded"] > CASES / SLICES / 20
    assert watched.outcomes["refused"] > watched.outcomes["loaded"]


@settings(
    max_examples=times(150, 10_000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.randoms(use_true_random=False))
def test_any_damage_that_hypothesis_finds_is_told(tmp_path_factory, rng: Random):
    """The same mutations, chosen by hypothesis, which makes a failing case smaller."""
    folder = tmp_path_factory.mktemp("case")
    path = write(damaged(any_seed(rng), rng), folder)
    with within(SECONDS):
        walk(path)
    shutil.rmtree(folder)
