"""Controls: outside every accuracy, and what false_alarms counts."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.metrics import METRICS, MetricContext, Selector, measure, tally
from mtprobe.metrics.pairing import pair_up
from mtprobe.report.categories import category_rows

from .results import result

CATEGORIES = ("male", "female")


def control(number, outcome, category="male"):
    made = result(number, outcome, category=category)
    return replace(made, attributes={"control": True})


outcomes = st.lists(
    st.tuples(
        st.sampled_from(["correct", "incorrect", "undecided", "degenerate"]),
        st.sampled_from(CATEGORIES),
        st.booleans(),
    ),
    max_size=25,
)


@given(outcomes)
def test_accuracies_are_those_without_controls_and_false_alarms_those_of_controls(rows):
    results = [
        (control if is_control else result)(number, outcome, category=category)
        for number, (outcome, category, is_control) in enumerate(rows)
    ]
    others = [one for one in results if not one.is_control]
    for name in ("accuracy", "weighted_accuracy", "minimum_accuracy", "gap"):
        whole, without = (measure(name, tally(some), Selector(), CATEGORIES) for some in (results, others))
        assert (whole.value, whole.n) == (without.value, without.n)
    decided = [
        outcome for outcome, _, is_control in rows if is_control and outcome in ("correct", "incorrect")
    ]
    alarms = measure("false_alarms", tally(results), Selector(), CATEGORIES)
    assert alarms.n == len(decided)
    if decided:
        assert alarms.value == pytest.approx(decided.count("incorrect") / len(decided))
    else:
        assert alarms.value is None


def test_false_alarms_by_category_and_the_samples_that_are_blamed():
    results = [
        control(1, "incorrect", "male"),
        control(2, "correct", "male"),
        control(3, "correct", "female"),
        control(4, "degenerate", "female"),
        result(5, "incorrect", category="male"),
    ]
    counted = tally(results)
    assert measure("false_alarms", counted, Selector("male"), CATEGORIES).value == 0.5
    assert measure("false_alarms", counted, Selector("female"), CATEGORIES).value == 0.0
    context = MetricContext(counted, CATEGORIES)
    blamed = METRICS["false_alarms"].blamed_samples(context, Selector(), is_lower=False)
    assert [one.id for one in blamed] == ["s1"]
    wrong = METRICS["accuracy"].blamed_samples(context, Selector(), is_lower=True)
    assert [one.id for one in wrong] == ["s5"]


def test_lower_is_better_and_comparisons_of_runs_leave_controls_out():
    assert METRICS["false_alarms"].higher_is_better is False
    before, after = (
        [control(1, "correct"), result(2, "correct")],
        [control(1, "incorrect"), result(2, "correct")],
    )
    pairing = pair_up(before, after)
    assert len(pairing.pairs) == 1
    assert not pairing.regressed


def test_reports_show_false_alarms_beside_the_accuracy(finished):
    rows = {row.name: row for row in category_rows(finished)}
    assert rows["male"].false_alarms.value == 0.5
    assert rows["male"].accuracy.n == 1
    assert rows["female"].false_alarms is None
    assert rows["all"].false_alarms.n == 2
    assert rows["male"].undecided == 0  # that of a control does not count here


@pytest.fixture
def finished():
    results = (
        control(1, "incorrect"),
        control(2, "correct"),
        control(3, "undecided"),
        result(4, "correct", category="male"),
        result(5, "correct", category="female"),
    )
    return SimpleNamespace(categories=CATEGORIES, seed=0, results=results)
