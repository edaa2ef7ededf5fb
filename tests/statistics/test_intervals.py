from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from mtprobe.statistics.intervals import exact, wilson

counts = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.8, 0.95, 0.99])


@given(counts, levels)
def test_wilson_is_scipys(counts, level):
    right, n = counts
    expected = binomtest(right, n).proportion_ci(level, method="wilson")
    assert wilson(right, n, level) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(counts, levels)
def test_the_exact_interval_is_scipys(counts, level):
    right, n = counts
    expected = binomtest(right, n).proportion_ci(level, method="exact")
    assert exact(right, n, level) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_the_exact_interval_takes_numbers_of_samples_that_are_not_whole():
    assert exact(7.5, 10.5)[0] < exact(8, 11)[0]
    assert exact(0.0, 3.3)[0] == 0.0
    assert exact(3.3, 3.3)[1] == 1.0
    assert exact(0, 0) == (0.0, 1.0)
