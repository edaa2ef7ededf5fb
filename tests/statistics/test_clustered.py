"""Estimates from clusters: laws that hold whatever the samples are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.statistics.clustered import Ratio, cluster_ratio, difference, independent, mean
from mtprobe.statistics.intervals import UNLIMITED, exact

tables = st.lists(
    st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=40
).map(lambda rows: Ratio(*np.array(rows, dtype=float).T))


def width(interval):
    return interval[1] - interval[0]


@pytest.mark.slow
@given(tables, st.sampled_from([0.8, 0.95, 0.999]))
def test_the_interval_of_a_share_contains_it_and_stays_between_0_and_1(ratio, level):
    low, high = ratio.share.interval(level)
    assert 0 <= low <= ratio.value + 1e-9
    assert ratio.value - 1e-9 <= high <= 1


@given(tables)
def test_clusters_never_make_an_interval_narrower(ratio):
    apart = independent(ratio.numerators.sum(), ratio.denominators.sum())
    assert width(ratio.share.interval(0.95)) >= width(apart.interval(0.95)) - 1e-9


@given(tables, st.randoms())
def test_the_order_of_clusters_changes_nothing(ratio, random):
    order = [*range(len(ratio.numerators))]
    random.shuffle(order)
    shuffled = Ratio(ratio.numerators[order], ratio.denominators[order])
    assert shuffled.share.interval(0.95) == pytest.approx(ratio.share.interval(0.95), abs=1e-9)


@given(tables)
def test_right_and_wrong_are_mirror_images(ratio):
    low, high = ratio.share.interval(0.95)
    wrong = Ratio(ratio.denominators - ratio.numerators, ratio.denominators)
    assert wrong.share.interval(0.95) == pytest.approx((1 - high, 1 - low), abs=1e-6)


@given(tables, st.floats(1, 50))
def test_more_samples_of_the_same_kind_make_no_interval_wider(ratio, times):
    share = ratio.share
    assert width(share.grown(times).interval(0.95)) <= width(share.interval(0.95)) + 1e-9


def test_clusters_of_one_sample_are_independent_samples():
    right = np.array([1.0] * 65 + [0.0] * 35)
    assert cluster_ratio(right, np.ones(100)) == pytest.approx(exact(65, 100))


def test_two_samples_in_one_cluster_hardly_change_a_hundred_that_are_independent():
    right, n = np.ones(99), np.ones(99)
    right[0], n[0] = 2, 2
    right[1] = 0
    assert cluster_ratio(right, n)[0] == pytest.approx(exact(99, 100)[0], abs=0.005)


def test_all_right_in_few_clusters_is_as_sure_as_one_sample_of_each():
    assert cluster_ratio(np.full(10, 6.0), np.full(10, 6.0)) == pytest.approx(exact(10, 10))


def test_one_error_is_not_much_surer_than_none():
    right = np.full(10, 20.0)
    right[0] = 19
    assert cluster_ratio(right, np.full(10, 20.0))[0] < 0.9


def test_one_cluster_says_nothing_about_others():
    assert cluster_ratio(np.array([19.0]), np.array([20.0])) == (0.0, 1.0)


def test_clusters_widen_the_interval_when_their_samples_agree():
    right = np.random.default_rng(1).random(40) < 0.5
    clustered = cluster_ratio(right * 10.0, np.full(40, 10.0))
    assert width(clustered) > 2 * width(exact(right.sum() * 10, 400))


def test_a_difference_over_shared_clusters_is_paired():
    ability = np.random.default_rng(4).beta(1, 1, 60)
    one = np.round(ability * 20)
    other = np.maximum(one - 2, 0)
    n = np.full(60, 20.0)
    low, high = difference(Ratio(one, n), Ratio(other, n)).interval(0.95)
    apart = difference(Ratio(np.r_[one, 0 * n], np.r_[n, 0 * n]), Ratio(np.r_[0 * n, other], np.r_[0 * n, n]))
    assert 0 < low < 0.1 < high
    assert high - low < width(apart.interval(0.95)) / 2


def test_a_mean_has_students_interval():
    values = np.array([1.0, 2.0, 4.0, 7.0])
    low, high = mean(Ratio(values, np.ones(4))).interval(0.95)
    half = 3.182 * values.std(ddof=1) / 2
    assert low <= values.mean() - half + 1e-3
    assert high >= values.mean() + half - 1e-3
    alone = mean(Ratio(np.ones(1), np.ones(1)))
    assert alone.value == 1.0
    assert alone.interval(0.95) == (-UNLIMITED, UNLIMITED)
