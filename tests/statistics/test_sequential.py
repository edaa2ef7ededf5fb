"""Confidence sequences: what they claim is true, at every moment"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from mtprobe.statistics.clustered import independent
from mtprobe.statistics.sequential import (
    ConfidenceSequence,
    GapSequence,
    LowestSequence,
    RatioSequence,
    limits,
)
from tests.soak import soak_only, times

from .error_rates import sequential as cells
from .error_rates.cell import GOAL
from .error_rates.samples import SKEWED

RUNS = times(150, 4000)
NOISE = 3 * (GOAL / RUNS) ** 0.5


def ratio(numerators, denominators=None, asked=None, capacities=None, lowest=0.0):
    numerators = np.array(numerators, dtype=float)
    denominators = np.ones(len(numerators)) if denominators is None else np.array(denominators, dtype=float)
    capacities = denominators if capacities is None else np.array(capacities, dtype=float)
    return RatioSequence(numerators[:asked], denominators[:asked], capacities, lowest)


members = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda pair: pair[0] <= pair[1]),
    min_size=2,
    max_size=6,
).filter(lambda pairs: any(count for _, count in pairs))


@settings(max_examples=25, deadline=None)
@given(members, st.sampled_from([0.05, 0.2, 0.5]))
def test_over_all_orders_of_a_population_a_claim_is_false_no_more_often_than_it_may_be(pairs, risk):
    """Not simulated: every order is tried, and the largest capital of each is what counts."""
    hits, counts = np.array(pairs, dtype=float).T
    truth = hits.sum() / counts.sum()
    orders = [list(order) for order in permutations(range(len(pairs)))]
    capacity = np.full(len(pairs), 3.0)
    sequences = [RatioSequence(hits[order], counts[order], capacity) for order in orders]
    assert np.mean([sequence.shows_more(truth, risk) for sequence in sequences]) <= risk
    assert np.mean([sequence.shows_less(truth, risk) for sequence in sequences]) <= risk


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=3, max_size=5), st.sampled_from([0.1, 0.4]))
def test_the_same_holds_for_gaps_and_minima(pairs, risk):
    hits, first = np.array(pairs, dtype=float).T
    groups = [first, 1 - first]
    if not all(group.any() for group in groups):
        return
    shares = [float(hits @ group / group.sum()) for group in groups]
    wrong: dict[str, list[bool]] = {"gap": [], "minimum": []}
    for order in map(list, permutations(range(len(pairs)))):
        ratios = tuple(RatioSequence((hits * of)[order], of[order], of[order]) for of in groups)
        for name, sequence, truth in (
            ("gap", GapSequence(ratios), max(shares) - min(shares)),
            ("minimum", LowestSequence(ratios), min(shares)),
        ):
            wrong[name].append(sequence.shows_more(truth, risk) or sequence.shows_less(truth, risk))
    assert all(np.mean(claims) <= 2 * risk for claims in wrong.values())


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_once_everything_was_asked_the_value_is_known(hits):
    sequence = ratio(hits)
    truth = np.mean(hits)
    low, high = limits(sequence, 0.025)
    # An order that is as unlucky as the risk allows has shown too much before: no limit is loose, one may be wrong.
    assert low >= truth - 0.003
    assert high <= truth + 0.003


@given(st.lists(st.booleans(), min_size=4, max_size=40), st.data())
def test_more_samples_never_take_a_claim_back(hits, data):
    earlier = data.draw(st.integers(1, len(hits) - 1))
    low, high = limits(ratio(hits, asked=earlier, capacities=np.ones(len(hits))), 0.1)
    later = limits(ratio(hits, asked=earlier + 1, capacities=np.ones(len(hits))), 0.1)
    assert later[0] >= low
    assert later[1] <= high


def test_members_that_cannot_count_change_nothing():
    hits = [1, 1, 0, 1, 1, 1]
    alone = limits(ratio(hits, capacities=np.ones(10)), 0.1)
    capacities = np.array([1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1])
    among = RatioSequence(
        np.array([1, 0, 1, 0, 0, 1, 0, 1, 1.0]), np.array([1, 0, 1, 0, 1, 1, 0, 1, 1.0]), 1.0 * capacities
    )
    assert limits(among, 0.1) == alone


def test_no_degenerate_output_so_far_is_as_sure_as_the_hypergeometric_distribution_allows():
    """1,000 samples, at most 2 % of which may be degenerate: how many must be asked if none is?"""
    population = 1000

    def certain(asked):
        return ratio(np.zeros(asked), capacities=np.ones(population)).shows_less(0.02, 0.025)

    asked = next(count for count in range(1, population) if certain(count))
    best = next(count for count in range(1, population) if hypergeom(population, 20, count).pmf(0) <= 0.025)
    assert best == 167
    assert best <= asked <= 1.4 * best


def test_one_counterexample_decides_a_bound_that_allows_for_none():
    assert ratio([0, 0, 1], capacities=np.ones(100)).shows_more(0.0, 1e-6)
    assert ratio([1, 0], capacities=np.ones(100)).shows_less(1.0, 1e-6)


def test_a_loss_may_be_a_gain():
    changes = [0, -1, 0, 0, -1, 0, -1, 0, 0, 0] * 3
    assert ratio(changes, capacities=np.ones(40), lowest=-1.0).shows_less(0.02, 0.025)
    assert not ratio(np.negative(changes), capacities=np.ones(40), lowest=-1.0).shows_less(0.02, 0.025)


def test_of_a_group_that_was_not_asked_nothing_is_known():
    asked, unasked = np.array([1.0, 1, 1, 1, 0, 0, 0, 0]), np.array([0, 0, 0, 0, 1.0, 1, 1, 1])
    ratios = (RatioSequence(np.ones(4), np.ones(4), asked), RatioSequence(np.zeros(4), np.zeros(4), unasked))
    assert not GapSequence(ratios).shows_less(0.5, 0.4)
    assert not LowestSequence(ratios).shows_more(0.1, 0.4)


def test_clear_cut_shares_take_few_samples():
    rng = np.random.default_rng(7)
    hits = rng.permutation(np.arange(1000) < 950)
    asked = next(
        n for n in range(1, 1000) if ratio(hits, asked=n, capacities=np.ones(1000)).shows_more(0.6, 0.025)
    )
    assert asked < 50


CRITICAL = [
    cells.share_cell(50, 0.9),
    cells.share_cell(300, 0.5),
    cells.share_cell(100, 0.98),
    cells.share_cell(50, 0.5, undecided=0.2),
    cells.share_cell(50, 0.5, size=5, pattern=SKEWED),
    cells.extreme_cell("minimum", (0.9, 0.7, 0.9), 25),
    cells.extreme_cell("gap", (0.9, 0.7), 25),
    cells.extreme_cell("loss", (0.1,), 100),
    cells.level_cell(60, 5, 0.6, 0.3),
    cells.level_cell(20, 5, 0.9, 1.0, SKEWED),
    cells.level_cell(20, 10, 0.8, 0.3, metric="minimum"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell", [*CRITICAL, *soak_only(*cells.cells())], ids=lambda cell: str(dict(cell.labels))
)
def test_a_sequential_gate_on_its_bound_passes_and_fails_as_rarely_as_it_says(cell):
    rates = cell.rates(RUNS)
    assert rates.worst <= GOAL + NOISE


@pytest.mark.slow
def test_stopping_on_ordinary_intervals_would_be_caught(monkeypatch):
    """Looking again and again until an interval excludes the bound: what a sequential run must not do."""

    def ordinary(self: ConfidenceSequence, bound: float, risk: float) -> bool:
        hits, counts = np.cumsum(self.numerators), np.cumsum(self.denominators)
        looks = range(10, len(hits))
        return any(independent(hits[n], counts[n]).interval(1 - 2 * risk)[0] > bound for n in looks)

    monkeypatch.setattr(RatioSequence, "shows_more", ordinary)
    assert cells.share_cell(300, 0.5).rates(100).passed > GOAL + 0.03
