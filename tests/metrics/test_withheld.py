"""Numbers over suites that withhold verdicts: what they would be, whatever the undecided samples are"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.metrics import METRICS, MetricContext, Selector, measure, tally

from .results import result

CATEGORIES = ("male", "female")
EVERYTHING = Selector()
MONOTONE = ("accuracy", "minimum_accuracy", "pair_accuracy", "false_positives")


def withheld(number: int, margin: float = 0.01, **more: str) -> Result:
    one = result(number, "undecided", **more)
    return replace(one, verdict=replace(one.verdict, probability=0.5, margin=margin))


def settled(results: list[Result], right: list[bool]) -> list[Result]:
    """The results with each withheld verdict decided one way or the other."""
    answers = iter(right)
    return [
        replace(
            one,
            verdict=replace(one.verdict, outcome=Outcome.CORRECT if next(answers) else Outcome.INCORRECT),
        )
        if one.verdict.withheld
        else one
        for one in results
    ]


outcomes = st.sampled_from(["correct", "incorrect", "degenerate", "undecided", "withheld"])
results = st.lists(
    st.tuples(outcomes, st.sampled_from(CATEGORIES), st.integers(0, 4), st.sampled_from(["pro", "anti"])),
    min_size=1,
    max_size=30,
).map(
    lambda rows: [
        withheld(number, category=category, cluster=f"c{cluster}", stereotype=kind)
        if outcome == "withheld"
        else result(number, outcome, category=category, cluster=f"c{cluster}", stereotype=kind)
        for number, (outcome, category, cluster, kind) in enumerate(rows)
    ]
)


def of(metric: str, found: list[Result], selector: Selector = EVERYTHING, level: float = 0.95):
    return measure(metric, tally(found), selector, CATEGORIES, level)


@settings(deadline=None)
@given(results, st.data())
@pytest.mark.parametrize("metric", [*MONOTONE, "gap", "delta_s"])
def test_whatever_the_undecided_are_the_number_is_within_its_bounds(metric, found, data):
    count = sum(one.verdict.withheld for one in found)
    truth = of(metric, settled(found, data.draw(st.lists(st.booleans(), min_size=count, max_size=count))))
    shown = of(metric, found)
    if shown.value is None or truth.value is None:
        return
    low, high = shown.bounds or (shown.value, shown.value)
    assert low - 1e-9 <= truth.value <= high + 1e-9
    assert shown.low <= low + 1e-9
    assert shown.high >= high - 1e-9


@settings(deadline=None)
@given(results)
@pytest.mark.parametrize("metric", [*MONOTONE, "gap", "weighted_accuracy", "f1"])
def test_the_value_is_that_of_the_decided_samples_alone(metric, found):
    selector = Selector("female") if metric == "f1" else EVERYTHING
    decided = [one for one in found if not one.verdict.withheld]
    assert of(metric, found, selector).value == of(metric, decided, selector).value
    assert of(metric, decided, selector).bounds is None


def test_undecided_without_scores_keep_their_meaning():
    found = [result(0), result(1, "incorrect"), result(2, "undecided"), result(3, "undecided")]
    assert of("accuracy", found).bounds is None
    assert of("accuracy", found).value == 0.5


def test_bounds_are_all_wrong_and_all_right():
    found = [*(result(n) for n in range(6)), *(result(n, "incorrect") for n in range(6, 8))]
    shown = of("accuracy", [*found, withheld(8), withheld(9)])
    assert shown.value == 0.75
    assert shown.bounds == pytest.approx((0.6, 0.8))
    assert shown.n == 8
    assert shown.low == of("accuracy", settled([*found, withheld(8), withheld(9)], [False] * 2)).low
    assert shown.high == of("accuracy", settled([*found, withheld(8), withheld(9)], [True] * 2)).high


def test_a_gap_is_widest_where_one_group_is_right_and_the_other_wrong():
    male = [result(n, category="male") for n in range(8)] + [withheld(n, category="male") for n in (8, 9)]
    female = [result(n, category="female") for n in range(10, 18)]
    shown = of("gap", [*male, *female, *(withheld(n, category="female") for n in (18, 19))])
    assert shown.value == 0.0
    assert shown.bounds == pytest.approx((0.0, 0.2))


def test_withheld_choices_may_have_been_any():
    def chose(number: int, choice: str | None) -> Result:
        verdict = (
            Verdict(Outcome.OPEN, choice=choice, probability=0.6)
            if choice
            else Verdict(Outcome.UNDECIDED, margin=0.01)
        )
        return replace(result(number, category="neutral"), verdict=verdict, choices=("male", "female"))

    found = [chose(0, "male"), chose(1, "male"), chose(2, "female"), chose(3, None), chose(4, None)]
    context = MetricContext(tally(found))
    shown = METRICS["chosen"].measure(context, Selector(choice="male"))
    assert shown.value == pytest.approx(2 / 3)
    assert shown.bounds == pytest.approx((0.4, 0.8))
