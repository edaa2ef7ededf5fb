"""Which group is called the lowest, and how often that is a false alarm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtprobe.metrics import tally
from mtprobe.metrics.gap import clearly_lowest

from .results import result


def counted(*groups: tuple[str, int, int], undecided: dict[str, int] | None = None):
    """Categories with how many samples are right, of how many; `undecided`: withheld verdicts besides."""
    results = [
        result(0, "correct" if number < right else "incorrect", category=name)
        for name, right, n in groups
        for number in range(n)
    ]
    for name, n in (undecided or {}).items():
        for _ in range(n):
            sample = result(0, "undecided", category=name)
            results.append(replace(sample, verdict=replace(sample.verdict, margin=0.01)))
    return tally([replace(one, id=str(number), cluster=str(number)) for number, one in enumerate(results)], 0)


@pytest.mark.parametrize(
    "groups, lowest",
    [
        ([("male", 90, 100), ("female", 40, 100)], "female"),
        ([("male", 9, 10), ("female", 7, 10)], None),
        ([("a", 90, 100), ("b", 30, 100), ("c", 35, 100)], None),  # b or c: nobody knows
        ([("a", 90, 100), ("b", 30, 100), ("c", 60, 100)], "b"),
        ([("only", 1, 100)], None),
        ([], None),
    ],
)
def test_a_group_is_the_lowest_if_it_is_clearly_below_every_other(groups, lowest):
    assert clearly_lowest(counted(*groups), None) == lowest


def test_withheld_verdicts_might_be_right():
    groups = ("male", 90, 100), ("female", 40, 60)
    assert clearly_lowest(counted(*groups), None) == "female"
    assert clearly_lowest(counted(*groups, undecided={"female": 200}), None) is None
    assert clearly_lowest(counted(*groups, undecided={"female": 2}), None) == "female"
    assert clearly_lowest(counted(("male", 90, 100), undecided={"female": 20}), None) is None


def test_values_of_an_attribute_are_compared_too():
    results = [
        result(number, "correct" if number % 10 < right else "incorrect", pos=pos)
        for pos, right, start in (("noun", 9, 0), ("verb", 2, 100))
        for number in range(start, start + 100)
    ]
    assert clearly_lowest(tally(results, 0), "pos") == "verb"


@pytest.mark.slow
@pytest.mark.parametrize("groups, accuracy", [(2, 0.5), (4, 0.8), (8, 0.9)])
def test_of_equally_good_groups_one_is_seldom_called_the_lowest(groups, accuracy):
    rng = np.random.default_rng(groups)
    alarms = [
        clearly_lowest(
            counted(*((f"g{place}", rng.binomial(60, accuracy), 60) for place in range(groups))), None
        )
        for _ in range(300)
    ]
    assert sum(alarm is not None for alarm in alarms) <= 0.05 * 300
