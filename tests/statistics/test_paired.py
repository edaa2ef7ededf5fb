from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from mtprobe.statistics.clustered import independent
from mtprobe.statistics.estimates import Difference
from mtprobe.statistics.paired import PairedCounts, counts_of, loss_of, paired_interval
from mtprobe.statistics.significance import paired_test
from tests.statistics.error_rates import regressions

counts = st.integers(0, 400)
tables = st.tuples(counts, counts, counts, counts).filter(any)
outcomes = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def alone(n):
    return [str(number) for number in range(n)]


def in_clusters(n, size):
    return [str(number // size) for number in range(n)]


@given(tables, st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_holds_the_difference_and_turns_with_it(table, level):
    both, regressed, fixed, neither = table
    low, high = paired_interval(table, level)
    assert -1 <= low <= PairedCounts(*table).difference <= high <= 1
    assert paired_interval((both, fixed, regressed, neither), level) == pytest.approx((-high, -low))


@given(tables)
def test_a_higher_level_is_wider(table):
    narrow, wide = paired_interval(table, 0.8), paired_interval(table, 0.99)
    assert wide[0] <= narrow[0] + 1e-12
    assert narrow[1] <= wide[1] + 1e-12


@given(tables)
def test_it_is_never_wider_than_the_unpaired_interval(table):
    both, regressed, fixed, neither = table
    low, high = paired_interval(table)
    n = sum(table)
    accuracies = (independent(correct, n) for correct in (both + regressed, both + fixed))
    least, most = Difference(*accuracies).interval(0.95)
    if both * neither >= regressed * fixed:  # the runs agree at least as often as independent ones would
        assert least - 1e-9 <= low
        assert high <= most + 1e-9


def test_where_runs_mostly_agree_it_is_much_narrower():
    low, high = paired_interval((79, 1, 1, 19))
    least, most = Difference(independent(80, 100), independent(80, 100)).interval(0.95)
    assert high - low < 0.4 * (most - least)


def test_no_flip_proves_as_much_as_its_number_of_samples_allows():
    before = np.array([True] * 80 + [False] * 20)
    found = loss_of(before, before, alone(100))
    # The largest loss that leaves a chance of 2.5 % to see no flip in 100 samples.
    assert found.interval()[1] == pytest.approx(1 - 0.025 ** (1 / 100))
    assert found.grown(1.82).interval()[1] > 0.02 >= found.grown(1.83).interval()[1]


def passes_at(bound, n, regress, fix=0.0):
    """The exact chance that the interval is below the bound, over all tables of independent samples."""
    chance = 0.0
    for regressed in range(n + 1):
        weight = binom.pmf(regressed, n, regress)
        if weight < 1e-9:
            continue
        for fixed in range(n - regressed + 1):
            here = weight * binom.pmf(fixed, n - regressed, fix / (1 - regress))
            if here > 1e-9:
                _, high = paired_interval((n - regressed - fixed, regressed, fixed, 0))
                chance += here * (high <= bound)
    return chance


@pytest.mark.parametrize(
    ("n", "bound", "fix"), [(200, 0.02, 0.0), (50, 0.05, 0.0), (100, 0.05, 0.02), (60, 0.1, 0.05)]
)
def test_a_loss_on_the_bound_passes_at_most_as_often_as_promised(n, bound, fix):
    assert passes_at(bound, n, bound + fix, fix) <= 0.025


def test_everything_lost_is_certain_and_everything_else_is_not():
    low, high = paired_interval((0, 20, 0, 0))
    assert high == 1.0
    assert 0.5 < low < 0.9


def test_samples_of_one_cluster_are_not_independent():
    before = np.ones(120, dtype=bool)
    after = np.repeat(np.arange(20) >= 4, 6)
    single, clustered = (loss_of(before, after, names) for names in (alone(120), in_clusters(120, 6)))
    assert clustered.value == single.value == pytest.approx(0.2)
    assert np.ptp(clustered.interval()) > 1.5 * np.ptp(single.interval())


def test_clusters_that_flip_as_a_whole_count_as_one_sample_each():
    before = np.ones(100, dtype=bool)
    for regressed in (0, 1, 3):
        after = np.repeat(np.arange(20) >= regressed, 5)
        found = loss_of(before, after, in_clusters(100, 5))
        assert found.effective_n() <= 20
        assert found.interval()[1] >= paired_interval((20 - regressed, regressed, 0, 0))[1] - 1e-9


def test_flips_spread_over_many_clusters_count_almost_as_independent_ones():
    before, after = np.ones(500, dtype=bool), np.arange(500) % 10 != 0
    found = loss_of(before, after, in_clusters(500, 5))
    assert 420 <= found.effective_n() <= 500


def test_one_cluster_is_one_sample():
    before, after = np.ones(10, dtype=bool), np.arange(10) >= 5
    assert loss_of(before, after, ["a"] * 10).effective_n() == 1.0


@given(outcomes, st.integers(1, 6))
def test_the_interval_holds_the_loss_whatever_the_clusters(rows, size):
    before, after = (np.array(side) for side in zip(*rows, strict=True))
    found = loss_of(before, after, in_clusters(len(rows), size))
    assert 0 < found.effective_n() <= len(rows) + 1e-9
    low, high = found.interval()
    assert -1 <= low <= found.value <= high <= 1
    assert found.value == pytest.approx(before.mean() - after.mean())
    assert counts_of(before, after).n == len(rows)


@given(outcomes, st.randoms())
def test_the_loss_knows_no_order(rows, random):
    numbered = [(*row, str(number // 3)) for number, row in enumerate(rows)]
    shuffled = list(numbered)
    random.shuffle(shuffled)

    def measured(triples):
        before, after, names = zip(*triples, strict=True)
        return loss_of(np.array(before), np.array(after), names)

    assert measured(numbered).effective_n() == pytest.approx(measured(shuffled).effective_n())
    assert measured(numbered).counts == measured(shuffled).counts


@pytest.mark.parametrize(
    "cell",
    [
        regressions.independent_cell(200, regressions.Flips(0.02, 0.0)),
        regressions.independent_cell(50, regressions.Flips(0.1, 0.05)),
        regressions.clustered_cell(30, 5, 0.3, regressions.Flips(0.15, 0.05)),
        regressions.clustered_cell(60, 5, 1.0, regressions.Flips(0.15, 0.05)),
        regressions.certainty_cell(30, 5, 1.0, 0.1),
        regressions.certainty_cell(60, 5, 0.3, 0.1),
    ],
    ids=lambda cell: f"{cell.section}, {', '.join(map(str, cell.labels.values()))}",
)
def test_wrong_decisions_are_about_as_rare_as_promised(cell):
    """The table of docs/explanation/error-rates.md in small: 3 % in 600 runs are more than 32 with a chance of 1 in 1,000."""
    assert cell.rates(600).worst * 600 <= 32


def test_whole_clusters_that_flip_are_not_a_certain_difference_although_mcnemar_would_say_so():
    samples = regressions.Samples(np.full(30, 5), correlation=1.0)
    rng = np.random.default_rng(8)
    runs = [samples.draw(rng, regressions.Flips(0.1, 0.1)) for _ in range(300)]
    called = [paired_test(*run, samples.clusters).p < 0.05 for run in runs]
    naive = [paired_test(*run, np.arange(150).astype(str)).p < 0.05 for run in runs]
    assert np.mean(called) < 0.05
    assert np.mean(naive) > 0.3
