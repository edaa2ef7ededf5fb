from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from mtprobe.statistics.intervals import cluster_difference, cluster_ratio, newcombe, wilson


@given(
    st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from([0.8, 0.95, 0.99]),
)
def test_wilson_is_scipys(counts, level):
    right, n = counts
    expected = binomtest(right, n).proportion_ci(level, method="wilson")
    assert wilson(right, n, level) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_newcombe_gives_the_figures_of_his_paper():
    # Newcombe 1998, table II, method 10: 56/70 − 48/80 and 9/10 − 3/10
    assert newcombe((56, 70), (48, 80)) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert newcombe((9, 10), (3, 10)) == pytest.approx((0.1705, 0.8090), abs=1e-4)


def test_all_right_in_few_clusters_is_not_certainty():
    low, high = cluster_ratio(np.full(10, 6.0), np.full(10, 6.0), seed=0)
    assert high == 1.0
    assert low == pytest.approx(wilson(10, 10)[0])


def test_clusters_widen_the_interval_when_their_samples_agree():
    rng = np.random.default_rng(1)
    right = rng.random(40) < 0.5
    clustered = cluster_ratio(right * 10.0, np.full(40, 10.0), seed=0)
    independent = wilson(right.sum() * 10, 400)
    assert clustered[1] - clustered[0] > 2 * (independent[1] - independent[0])


def test_many_clusters_by_variance_and_fewer_by_resampling_agree():
    rng = np.random.default_rng(2)
    sizes = rng.integers(1, 5, 1900).astype(float)
    right = rng.binomial(sizes.astype(int), 0.7).astype(float)
    resampled = cluster_ratio(right, sizes, seed=0)
    by_variance = cluster_ratio(np.r_[right, right], np.r_[sizes, sizes], seed=0)
    shrink = math.sqrt(2)
    assert (by_variance[1] - by_variance[0]) * shrink == pytest.approx(resampled[1] - resampled[0], rel=0.1)


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(3)
    hits = 0
    for trial in range(200):
        chance = rng.beta(3, 2, 40)  # each cluster has its own
        right = rng.binomial(8, chance).astype(float)
        low, high = cluster_ratio(right, np.full(40, 8.0), seed=trial)
        hits += low <= 0.6 <= high
    assert hits >= 180


def test_a_difference_over_shared_clusters_is_paired():
    rng = np.random.default_rng(4)
    ability = rng.beta(1, 1, 60)
    one = np.round(ability * 20)
    other = np.round(ability * 20) - 2
    n = np.full(60, 20.0)
    low, high = cluster_difference((one, n), (np.maximum(other, 0), n), seed=0)
    assert 0 < low < 0.1 < high + 0.02
    assert high - low < 0.02


def test_the_same_seed_gives_the_same_interval():
    right, n = np.arange(10.0), np.full(10, 10.0)
    assert cluster_ratio(right, n, seed=5) == cluster_ratio(right, n, seed=5)
