"""Simulated runs: their rates are those of known power."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from mtprobe.authoring.power.needed import Resampler
from mtprobe.authoring.power.search import curves, smallest
from mtprobe.authoring.power.simulate import Columns
from mtprobe.gates import Decision
from mtprobe.methods.verdict import Outcome

from .rows import a_bench, a_row, a_simulation, all_right

RUNS = 1000


def exact_power(n: int, bound: float, rate: float) -> float:
    """How often more than n × (1 − bound) of n independent samples are wrong."""
    allowed = np.floor(n * (1 - bound) + 1e-9)
    return float(binom.sf(allowed, n, rate))


@pytest.mark.parametrize("rate", [0.03, 0.06, 0.1, 0.15])
@pytest.mark.parametrize(("n", "bound"), [(60, 0.95), (100, 0.9), (250, 0.92)])
def test_the_share_of_runs_that_catch_errors_is_the_binomial_power(tmp_path, n, bound, rate):
    bench, gates = a_bench(tmp_path, accuracy=f">= {bound}")
    [point] = a_simulation(bench, all_right(n)).at(rate, gates, RUNS)
    low, high = point.interval()
    assert low <= exact_power(n, bound, rate) <= high


@pytest.mark.parametrize(("n", "bound"), [(60, 0.95), (100, 0.9), (250, 0.92)])
def test_the_smallest_rate_that_is_caught_is_that_of_known_power(tmp_path, n, bound):
    bench, gates = a_bench(tmp_path, accuracy=f">= {bound}")
    [points] = curves(a_simulation(bench, all_right(n)), gates, 400)
    found = smallest(points)
    rates = np.linspace(0, 1, 100_001)
    exact = rates[np.argmax(binom.sf(np.floor(n * (1 - bound) + 1e-9), n, rates) >= 0.8)]
    assert found.low <= exact <= found.high
    assert found.high - found.low < 0.05


def test_samples_of_a_cluster_go_wrong_together(tmp_path):
    """Five clusters of ten, and a gate that any wrong cluster fails: 1 − 0.9⁵ of the runs at a rate of 0.1."""
    bench, gates = a_bench(tmp_path, accuracy=">= 0.9")
    [point] = a_simulation(bench, all_right(50, per_cluster=10)).at(0.1, gates, RUNS)
    two_or_more = float(binom.sf(0, 5, 0.1))
    low, high = point.interval()
    assert low <= two_or_more <= high
    scattered = replace(a_simulation(bench, all_right(50, per_cluster=10)), scattered=True)
    [by_itself] = scattered.at(0.1, gates, RUNS)
    low, high = by_itself.interval()
    assert low <= float(binom.sf(5, 50, 0.1)) <= high


def test_a_gate_at_a_level_is_undecided_before_it_fails(tmp_path):
    bench, gates = a_bench(tmp_path, accuracy=">= 0.8 @95%")
    [points] = curves(a_simulation(bench, all_right(100)), gates, 200)
    caught, failed = smallest(points), smallest(points, failed_only=True)
    assert caught.rate < 0.2 < failed.rate


def test_a_gap_notices_errors_of_one_group_and_not_those_of_both(tmp_path):
    bench, gates = a_bench(tmp_path, gap="<= 0.2")
    columns = all_right(200)
    [points] = curves(a_simulation(bench, columns), gates, 100)
    assert smallest(points) is None
    left = np.array([row.category == "left" for row in columns.rows])
    [points] = curves(a_simulation(bench, columns.within("left", left)), gates, 100)
    assert 0.15 < smallest(points).rate < 0.3


outcomes = st.sampled_from([Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNDECIDED, Outcome.DEGENERATE])


@settings(max_examples=25)
@given(st.lists(st.tuples(outcomes, outcomes, st.integers(0, 9)), min_size=2, max_size=40))
def test_mixed_columns_count_like_results_that_are_counted_anew(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("mixed")
    bench, gates = a_bench(
        folder, accuracy=">= 0.5 @95%", gap="<= 0.2", degenerate="<= 0.5", undecided="<= 0.5"
    )
    before = tuple(a_row(n, first, cluster) for n, (first, _, cluster) in enumerate(rows))
    after = tuple(a_row(n, second, cluster) for n, (_, second, cluster) in enumerate(rows))
    simulation = a_simulation(bench, Columns("digits", before, after))
    for mask in simulation._masks(0.5, 3):
        plain = [two if chosen else one for one, two, chosen in zip(before, after, mask, strict=True)]
        expected = bench.results(gates, bench.tally(plain))
        assert [result.decision for result in expected] == [*simulation._decide(mask, gates, ())]
        simulation._known.clear()


@settings(max_examples=25)
@given(st.lists(outcomes, min_size=2, max_size=40), st.integers(0, 5))
def test_without_errors_nothing_changes_and_more_errors_are_caught_more_often(tmp_path_factory, states, seed):
    bench, gates = a_bench(tmp_path_factory.mktemp("rates"), accuracy=">= 0.5", accuracy_left=">= 0.3")
    rows = tuple(a_row(number, outcome) for number, outcome in enumerate(states))
    mutated = tuple(
        a_row(number, Outcome.INCORRECT) if outcome is Outcome.CORRECT else None
        for number, outcome in enumerate(states)
    )
    simulation = a_simulation(bench, Columns("digits", rows, mutated), seed)
    passed = [decision is Decision.PASSED for decision in bench.decisions(gates, bench.tally(rows))]
    for number, point in enumerate(simulation.at(0.0, gates, 10)):
        assert point.caught == (0 if passed[number] else 10)
    shares = [[point.share() for point in simulation.at(rate, gates, 20)] for rate in (0.1, 0.3, 0.6, 0.9)]
    for lower, higher in pairwise(shares):
        assert all(one <= other for one, other in zip(lower, higher, strict=True))


def test_the_same_seed_gives_the_same_runs_whatever_was_asked_before(tmp_path):
    bench, gates = a_bench(tmp_path, accuracy=">= 0.9", gap="<= 0.1")
    first, second = (a_simulation(bench, all_right(80)) for _ in range(2))
    first.at(0.7, gates[:1], 5)
    assert first.at(0.1, gates, 50) == second.at(0.1, gates, 50)
    assert first.at(0.1, gates, 50) != a_simulation(bench, all_right(80), seed=1).at(0.1, gates, 50)


def test_more_samples_help_where_chance_decides_and_not_where_the_bound_allows_the_errors(tmp_path):
    bench, gates = a_bench(tmp_path, accuracy=">= 0.95", accuracy_left=">= 0.5")
    simulation = a_simulation(bench, all_right(40))
    strict, loose = (Resampler(simulation, gate).needed(0.09, 200) for gate in gates)
    assert exact_power(40, 0.95, 0.09) < 0.75
    assert exact_power(80, 0.95, 0.09) > 0.85
    assert strict.samples == 80
    assert loose.samples is None
    assert loose.hopeless
    assert loose.tried == 160
