"""The share of right samples from verdicts and labels: what it must be in clear cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.statistics.corrected import Stratum, corrected
from mtprobe.statistics.strata import shared_equally, shared_out


def estimate(verdicts, labels, weights=None, clusters=None, guesses=(0.0, 1.0)):
    """Labels: 1 right, 0 wrong, None for none, "?" for unclear."""
    n = len(verdicts)
    weights = [1.0] * n if weights is None else weights
    weight = np.array(
        [0.0 if label is None else weight for label, weight in zip(labels, weights, strict=True)]
    )
    clear = np.array([label in (0, 1) for label in labels])
    right = np.array([label == 1 for label in labels])
    numbers = np.arange(n) if clusters is None else np.array(clusters)
    return corrected(
        [
            Stratum.of(numbers, weight, clear, right, guess, inside=np.array(verdicts) == kind)
            for kind, guess in enumerate(guesses)
        ]
    )


def test_without_labels_nothing_is_known():
    assert estimate([1, 0], [None, None]) is None


def test_with_all_labels_it_is_their_share():
    found = estimate([1, 1, 0, 0], [1, 0, 1, 1])
    assert found.value == pytest.approx(0.75)


def test_a_stratum_without_labels_may_be_anything():
    low, high = estimate([1] * 60 + [0] * 40, [1] * 60 + [None] * 40).interval(0.95)
    assert low < 0.6
    assert high == 1.0


def test_labels_of_one_cluster_count_as_one():
    verdicts, labels = [1] * 80, [1] * 40 + [None] * 40
    alone = estimate(verdicts, labels).interval(0.95)
    together = estimate(verdicts, labels, clusters=[n // 20 for n in range(80)]).interval(0.95)
    assert together[0] < alone[0]


def test_it_narrows_as_it_grows():
    found = estimate([1] * 50 + [0] * 50, [1] * 18 + [0] * 2 + [None] * 30 + [0] * 20 + [None] * 30)
    low, high = found.interval(0.95)
    larger = found.grown(10)
    lower, upper = larger.interval(0.95)
    assert larger.value == found.value
    assert low < lower < found.value < upper < high


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from([0, 1, None, "?"]), st.integers(0, 6)),
        min_size=2,
        max_size=60,
    ),
    st.sampled_from([0.8, 0.95, 0.99]),
)
def test_an_interval_contains_its_value_and_stays_within_a_share(samples, level):
    verdicts, labels, clusters = zip(*samples, strict=True)
    found = estimate(verdicts, labels, clusters=clusters)
    if found is None:
        return
    low, high = found.interval(level)
    assert 0 <= low <= found.value + 1e-9
    assert found.value - 1e-9 <= high <= 1


@given(st.integers(1, 300), st.lists(st.integers(0, 200), min_size=1, max_size=5))
def test_all_that_is_wanted_is_shared_out_and_no_stratum_is_forgotten(total, sizes):
    for share in (shared_out, shared_equally):
        counts = share(total, sizes)
        assert sum(counts) == min(total, sum(sizes))
        assert all(count <= size for count, size in zip(counts, sizes, strict=True))
        if total >= len(sizes):
            assert all(count > 0 for count, size in zip(counts, sizes, strict=True) if size)


def test_larger_strata_get_more_but_less_than_their_share():
    small, large = shared_out(100, [100, 900])
    assert 10 < small < 50 < large
