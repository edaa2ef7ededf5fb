"""Gaps and minima: the interval allows for the choice of the extreme groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.statistics.clustered import Ratio, correlations, difference, independent
from mtprobe.statistics.estimates import Difference
from mtprobe.statistics.extremes import LargestGap, Lowest

counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
groups = st.lists(counts, min_size=2, max_size=7).map(
    lambda rows: tuple(independent(right, n) for right, n in rows)
)


def gap_of(shares):
    return LargestGap(shares, np.zeros((len(shares), len(shares))))


@given(groups)
def test_a_gap_ends_where_the_largest_of_all_differences_may_end(shares):
    pairs = [Difference(one, other) for one in shares for other in shares if one is not other]
    low, high = gap_of(shares).interval(0.95)
    assert high == pytest.approx(max(pair.interval(0.95)[1] for pair in pairs))
    together = 1 - 0.05 / len(pairs)
    assert low == pytest.approx(max(0.0, *(pair.interval(together)[0] for pair in pairs)))


@given(groups, st.randoms())
def test_the_order_of_groups_changes_nothing(shares, random):
    shuffled = [*shares]
    random.shuffle(shuffled)
    assert gap_of(tuple(shuffled)).interval(0.95) == pytest.approx(gap_of(shares).interval(0.95))
    assert Lowest(tuple(shuffled)).interval(0.95) == Lowest(shares).interval(0.95)


@given(groups)
def test_a_minimum_is_as_low_as_its_lowest_end_and_no_surer_than_its_groups(shares):
    low, high = Lowest(shares).interval(0.95)
    assert low == min(share.interval(0.95)[0] for share in shares)
    assert high >= min(share.interval(0.95)[1] for share in shares)
    assert low <= Lowest(shares).value <= high


@given(groups, counts)
def test_another_group_makes_failing_harder_and_passing_no_easier(shares, another):
    more = (*shares, independent(*another))
    assert Lowest(more).interval(0.95)[0] <= Lowest(shares).interval(0.95)[0]
    assert gap_of(more).interval(0.95)[1] >= gap_of(shares).interval(0.95)[1] - 1e-12


def test_a_gap_over_shared_clusters_knows_how_the_groups_go_together():
    rng = np.random.default_rng(5)
    ability, n = rng.random(40), np.full(40, 10.0)
    one, same, opposite = (Ratio(np.round(10 * x), n) for x in (ability, ability * 0.9, (1 - ability) * 0.9))

    def width(other):
        ratios = [one, other]
        low, high = LargestGap(tuple(ratio.share for ratio in ratios), correlations(ratios)).interval(0.95)
        return high - low

    assert width(same) < width(opposite) / 2
    assert difference(one, same).correlation > 0.9
