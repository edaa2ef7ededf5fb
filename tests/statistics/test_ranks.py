from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from mtprobe.statistics.measure import Measure
from mtprobe.statistics.ranks import average_ranks, mean_of_pairs, spearman

values = st.integers(-5, 5).map(float)
pairs = st.lists(st.tuples(values, values), min_size=2, max_size=40).map(
    lambda rows: tuple(list(side) for side in zip(*rows, strict=True))
)


@given(st.lists(values, min_size=1, max_size=50))
def test_ranks_are_scipys(numbers):
    assert average_ranks(np.array(numbers)) == pytest.approx(rankdata(numbers))


@given(pairs)
def test_rho_is_scipys(pair):
    one, other = pair
    assume(len(set(one)) > 1)
    assume(len(set(other)) > 1)
    assert spearman(one, other).value == pytest.approx(spearmanr(one, other).statistic)


@given(pairs)
def test_rho_lies_in_its_interval(pair):
    got = spearman(*pair)
    assume(got.value is not None)
    assert -1 <= got.low <= got.value + 1e-9
    assert got.value - 1e-9 <= got.high <= 1


def test_the_same_order_of_five_models_is_no_proof_of_the_same_order():
    got = spearman([1, 2, 3, 4, 5], [10, 20, 30, 40, 50])
    assert got.value == pytest.approx(1)
    assert got.high == 1
    assert got.low < 0.7
    more = spearman(list(range(27)), list(range(27)))
    assert more.low > 0.99


def test_three_models_say_nothing_of_rho():
    assert (spearman([1, 2, 3], [1, 3, 2]).low, spearman([1, 2, 3], [1, 3, 2]).high) == (-1, 1)


def test_models_that_are_all_alike_have_no_ranking():
    assert spearman([1, 1, 1, 1], [1, 2, 3, 4]).value is None


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(2)
    truth = 6 / np.pi * np.arcsin(0.8 / 2)  # Spearman's ρ of normal variables that correlate with 0.8
    hits = 0
    for _ in range(300):
        one = rng.standard_normal(27)
        got = spearman(list(one), list(0.8 * one + 0.6 * rng.standard_normal(27)))
        hits += got.low <= truth <= got.high
    assert 275 <= hits <= 297


def test_the_mean_of_pairs_is_as_unsure_as_they_are_together():
    got = mean_of_pairs([Measure(0.9, 0.8, 1.0, 27), Measure(0.7, 0.4, 0.8, 20), Measure(None, -1, 1, 1)])
    assert (got.value, got.low, got.high, got.n) == (
        pytest.approx(0.8),
        pytest.approx(0.6),
        pytest.approx(0.9),
        20,
    )
    assert mean_of_pairs([]).value is None
