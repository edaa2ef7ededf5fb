"""Repeats: the mean over them is the estimate, a sample stays one sample, and flaky samples are named"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.methods.verdict import Outcome, Verdict
from mtprobe.metrics import METRICS, MetricContext, Selector, Since, tally
from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.pairing import pair_up
from mtprobe.metrics.repeats import repeats_of
from tests.metrics.results import result

CATEGORIES = ("male", "female")
SELECTORS = {
    "f1": Selector("female"),
    "f1_rounded": Selector("female"),
    "group_error": Selector(over="pos"),
    "chosen": Selector(choice="male"),
}
SKIPPED = ("audit_accuracy", "bias", "discrepancy", "discrepancy_clipped")  # not about translations


def repeated(results, times):
    """What a model that always says the same is judged as when it is asked so often."""
    return [replace(one, repeat=number) for one in results for number in range(1, times + 1)]


def with_outcomes(number, *outcomes, **facts):
    return [
        replace(result(number, outcome, **facts), repeat=place) for place, outcome in enumerate(outcomes, 1)
    ]


@st.composite
def samples(draw):
    made = []
    for number in range(draw(st.integers(1, 12))):
        outcome = draw(st.sampled_from(["correct", "correct", "incorrect", "degenerate", "undecided"]))
        one = result(
            number,
            outcome,
            category=draw(st.sampled_from(CATEGORIES)),
            p=draw(st.sampled_from([0.1, 0.3, 0.6, 0.9])),
            cluster=draw(st.sampled_from(["a", "b", "c", f"own {number}"])),
            pos=draw(st.sampled_from(["noun", "verb"])),
            stereotype=draw(st.sampled_from(["pro", "anti"])),
            sense_rank=str(draw(st.integers(1, 3))),
            polysemy=str(draw(st.integers(1, 3))),
        )
        margin = draw(st.sampled_from([None, 0.01]))
        one = replace(one, verdict=replace(one.verdict, margin=margin))
        if outcome != "degenerate" and draw(st.integers(0, 9)) == 0:
            chose = Verdict(Outcome.OPEN, choice=draw(st.sampled_from(CATEGORIES)))
            one = replace(one, category="open", choices=CATEGORIES, verdict=chose)
        made.append(one)
    return made


@pytest.mark.parametrize("name", [name for name in METRICS if name not in SKIPPED])
@settings(max_examples=25, deadline=None)
@given(results=samples(), earlier=samples(), times=st.integers(2, 7))
def test_asking_a_model_again_that_says_the_same_changes_no_number(name, results, earlier, times):
    metric, selector = METRICS[name], SELECTORS.get(name, Selector())
    once, often = (
        metric.evaluate(
            MetricContext(tally(rows), CATEGORIES, since=Since("then", earlier)), selector, 0.9
        ).measure
        for rows in (results, repeated(results, times))
    )
    assert (once.n, once.note) == (often.n, often.note)
    assert once.value == pytest.approx(often.value, abs=1e-9)
    assert [once.low, once.high] == pytest.approx([often.low, often.high], abs=1e-9)
    assert (once.bounds is None) == (often.bounds is None)


@given(samples(), st.integers(2, 5))
def test_labels_of_first_translations_correct_the_same(results, times):
    labelled = [
        replace(one, drawn=0.5, label="correct" if number % 3 else "incorrect") if number % 2 else one
        for number, one in enumerate(results)
    ]
    again = [
        one if one.repeat == 1 else replace(one, drawn=None, label="") for one in repeated(labelled, times)
    ]
    once, often = (
        METRICS["accuracy"].corrected(MetricContext(tally(rows), CATEGORIES), Selector())
        for rows in (labelled, again)
    )
    assert (once is None) == (often is None)
    if once is not None and once.estimate is not None:
        assert once.at(0.95).value == pytest.approx(often.at(0.95).value)
        assert once.estimate.interval(0.95) == pytest.approx(often.estimate.interval(0.95))


def test_the_estimate_is_the_mean_over_repeats():
    rows = [*with_outcomes(1, "correct", "incorrect"), *with_outcomes(2, "correct", "correct")]
    found = accuracy(tally(rows), np.ones(4, dtype=bool))
    assert (found.value, found.n) == (0.75, 2)


def test_more_repeats_do_not_narrow_the_interval_as_more_samples_would():
    random = np.random.default_rng(0)

    def interval(samples, times):
        rows = [
            row
            for number in range(samples)
            for row in with_outcomes(
                number, *random.choice(["correct", "incorrect"], size=times, p=[0.7, 0.3])
            )
        ]
        found = accuracy(tally(rows), np.ones(len(rows), dtype=bool))
        return found.high - found.low

    assert interval(40, 20) > 0.9 * interval(40, 1)
    assert interval(800, 1) < 0.4 * interval(40, 20)


def test_intervals_over_samples_that_are_right_now_and_then_hold_their_level():
    random, missed = np.random.default_rng(1), 0
    for _ in range(300):
        chances = random.beta(1.4, 0.6, size=30)  # each sentence has its own; 0.7 on average
        right = random.random((30, 5)) < chances[:, None]
        rows = [
            row
            for number, flags in enumerate(right)
            for row in with_outcomes(number, *("correct" if flag else "incorrect" for flag in flags))
        ]
        found = accuracy(tally(rows), np.ones(len(rows), dtype=bool))
        missed += not found.low <= 0.7 <= found.high
    assert missed <= 15


def test_a_schema_is_right_in_the_repeats_in_which_all_its_samples_are():
    rows = [
        *with_outcomes(1, "correct", "incorrect", cluster="schema"),
        *with_outcomes(2, "incorrect", "correct", cluster="schema"),
        *with_outcomes(3, "correct", "correct", cluster="other"),
        *with_outcomes(4, "correct", "incorrect", cluster="other"),
    ]
    found = METRICS["pair_accuracy"].measure(MetricContext(tally(rows)), Selector())
    assert (found.value, found.n) == (0.25, 2)


def test_flaky_samples_are_named_with_what_became_of_them():
    rows = [
        *with_outcomes(1, "correct", "incorrect", "correct"),
        *with_outcomes(2, "correct", "correct", "correct"),
        *with_outcomes(3, "correct", "incorrect", "undecided"),
    ]
    found = repeats_of(rows)
    assert [(sample.id, str(sample)) for sample in found.flaky] == [
        ("s3", "correct 1/3, incorrect 1/3, undecided 1/3"),
        ("s1", "correct 2/3, incorrect 1/3"),
    ]
    assert (found.count, found.samples, found.accuracies) == (3, 3, (1.0, 1 / 3, 1.0))
    assert (found.lowest, found.highest) == (1 / 3, 1.0)
    assert found.deviation == pytest.approx(0.3849, abs=1e-4)


def test_a_run_without_repeats_has_none():
    assert repeats_of([result(1), result(2)]) is None


def test_a_sample_is_blamed_once():
    rows = [*with_outcomes(1, "incorrect", "incorrect"), *with_outcomes(2, "correct", "incorrect")]
    blamed = METRICS["accuracy"].blamed_samples(MetricContext(tally(rows)), Selector(), is_lower=True)
    assert [(one.id, one.repeat) for one in blamed] == [("s1", 1), ("s2", 2)]


def test_runs_with_and_without_repeats_are_compared_by_the_shares_that_are_correct():
    before = [result(number, "correct") for number in range(4)]
    after = [
        *with_outcomes(0, "correct", "correct", "correct"),
        *with_outcomes(1, "correct", "correct", "incorrect"),
        *with_outcomes(2, "correct", "incorrect", "incorrect"),
        *with_outcomes(3, "incorrect", "incorrect", "undecided"),
    ]
    found = pair_up(before, after)
    assert found.measure().value == pytest.approx((0 + 1 / 3 + 2 / 3 + 1) / 4)
    assert found.measure().n == 4
    assert [(pair.after.id, pair.after.repeat) for pair in found.regressed] == [("s2", 2), ("s3", 1)]
    assert found.fixed == ()
    assert found.test.p == 0.25  # three samples changed, all of them for the worse


def test_what_fails_in_one_repeat_cannot_be_compared():
    found = pair_up([result(1)], with_outcomes(1, "correct", "error"))
    assert found.left_out == {"not judged in one of the runs": 1}
