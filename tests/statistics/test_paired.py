from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from mtprobe.statistics.intervals import wilson
from mtprobe.statistics.paired import PairedCounts, counts_of, holm, loss, mcnemar, newcombe_paired

counts = st.integers(0, 400)
tables = st.tuples(counts, counts, counts, counts).filter(any)
outcomes = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@pytest.fixture(autouse=True, scope="module")
def _little_to_collect():
    """statsmodels collects garbage in every correction: half a second each beside torch, unless frozen."""
    gc.freeze()
    yield
    gc.unfreeze()


@given(counts, counts)
def test_mcnemar_is_the_exact_test_of_statsmodels_and_scipy(broken, mended):
    found = mcnemar(broken, mended)
    if broken + mended:
        table = [[5, broken], [mended, 7]]
        assert found == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, rel=1e-9)
        assert found == pytest.approx(min(1.0, binomtest(broken, broken + mended).pvalue), rel=1e-6)
    else:
        assert found == 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_is_that_of_statsmodels(values):
    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.randoms())
def test_holm_knows_no_order(values, random):
    order = list(range(len(values)))
    random.shuffle(order)
    adjusted = holm(values)
    assert holm([values[one] for one in order]) == pytest.approx([adjusted[one] for one in order])


def test_newcombe_gives_the_figures_of_his_paper():
    # Newcombe 1998, paired data, method 10: 36, 12, 2, 0
    assert newcombe_paired((36, 12, 2, 0)) == pytest.approx((0.0569, 0.3404), abs=1e-4)


@given(tables, st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_holds_the_difference_and_turns_with_it(table, level):
    both, broken, mended, neither = table
    found = PairedCounts(*table)
    low, high = newcombe_paired(table, level)
    assert -1 <= low <= found.difference <= high <= 1
    assert newcombe_paired((both, mended, broken, neither), level) == pytest.approx((-high, -low))


@given(tables)
def test_a_higher_level_is_wider(table):
    narrow, wide = newcombe_paired(table, 0.8), newcombe_paired(table, 0.99)
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]


def test_the_paired_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(1)
    chances = np.array([0.62, 0.13, 0.05, 0.20])
    hits = [
        low <= 0.08 <= high
        for low, high in map(newcombe_paired, map(tuple, rng.multinomial(150, chances, 2000)))
    ]
    assert 0.935 <= np.mean(hits) <= 0.97


def test_the_clustered_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(2)
    clusters = [str(number // 6) for number in range(300)]
    hits = 0
    for trial in range(200):
        drop = np.repeat(rng.beta(1, 9, 50), 6)  # each cluster has its own; the mean is 0.1
        before = np.ones(300, dtype=bool)
        found = loss(before, rng.random(300) >= drop, clusters, seed=trial)
        hits += found.low <= 0.1 <= found.high
    assert hits >= 178


def test_samples_of_one_cluster_are_not_independent():
    before = np.ones(120, dtype=bool)
    after = np.repeat(np.arange(20) >= 4, 6)
    alone = loss(before, after, [str(number) for number in range(120)])
    clustered = loss(before, after, [str(number // 6) for number in range(120)])
    assert clustered.value == alone.value == pytest.approx(0.2)
    assert clustered.high - clustered.low > 1.5 * (alone.high - alone.low)


def test_no_flip_in_few_clusters_is_not_certainty():
    same = np.array([True, True, True, False] * 10)
    found = loss(same, same, [str(number // 10) for number in range(40)])
    assert found.value == 0.0
    assert found.low < -0.02
    assert found.high > 0.02
    alone = loss(same, same, [str(number) for number in range(40)])
    assert alone.high - alone.low < found.high - found.low


@given(outcomes, st.randoms())
def test_the_loss_knows_no_order(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)

    def measured(pairs):
        before, after = (np.array(side) for side in zip(*pairs, strict=True))
        return loss(before, after, [str(number) for number in range(len(pairs))])

    assert measured(rows) == measured(shuffled)


@given(outcomes)
def test_the_loss_is_the_difference_of_the_accuracies(rows):
    before, after = (np.array(side) for side in zip(*rows, strict=True))
    found = loss(before, after, [str(number) for number in range(len(rows))])
    assert found.value == pytest.approx(before.mean() - after.mean())
    assert counts_of(before, after).n == found.n == len(rows)


def test_everything_lost_reaches_as_far_as_wilson_lets_it():
    found = newcombe_paired((0, 20, 0, 0))
    assert found[1] == 1.0
    assert found[0] == pytest.approx(1 - np.hypot(1 - wilson(20, 20)[0], wilson(0, 20)[1]))


def test_nothing_to_compare_is_no_number():
    nothing = np.array([], dtype=bool)
    assert loss(nothing, nothing, []).value is None
