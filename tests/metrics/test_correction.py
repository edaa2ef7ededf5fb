"""Accuracies corrected by labels: verdicts on all samples, labels of those that were drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import METRICS, MetricContext, Selector, tally
from tests.metrics.results import result


def sample(number, outcome, label="", drawn=None, **facts):
    return replace(result(number, outcome, **facts), label=label, drawn=drawn)


def series(*groups, category="male", start=0, cluster=None):
    """Groups of (how many, outcome, label): labelled samples are drawn with probability 1/10."""
    numbers = iter(range(start, start + 100_000))
    return [
        sample(number, outcome, label, 0.1 if label else None, category=category, cluster=cluster)
        for count, outcome, label in groups
        for number in [next(numbers) for _ in range(count)]
    ]


def corrected(metric, results, selector=Selector(), categories=("male", "female"), level=0.95):  # noqa: B008
    estimated = METRICS[metric].corrected(MetricContext(tally(results), categories), selector)
    return estimated and estimated.at(level)


# A judge that calls a third of the right translations wrong: 0.62 of 300 correct, truth near 0.9.
BIASED = [
    (171, "correct", ""),
    (105, "incorrect", ""),
    (19, "correct", "correct"),
    (0, "correct", "incorrect"),
    (9, "incorrect", "correct"),
    (3, "incorrect", "incorrect"),
]


def test_labels_move_a_biased_number_towards_the_truth():
    results = series(*BIASED)
    raw = METRICS["accuracy"].measure(MetricContext(tally(results)), Selector())
    found = corrected("accuracy", results)
    assert raw.value == pytest.approx(190 / 307)
    assert found.value == pytest.approx((190 * 1 + 117 * 9 / 12) / 307)
    assert found.low < found.value < found.high
    assert not found.low <= raw.value <= found.high
    assert (found.n, found.note) == (31, "31 labels")


def test_a_judge_that_is_always_right_is_not_moved_but_less_certain():
    results = series(
        (90, "correct", ""), (10, "incorrect", ""), (45, "correct", "correct"), (5, "incorrect", "incorrect")
    )
    raw = METRICS["accuracy"].measure(MetricContext(tally(results)), Selector())
    found = corrected("accuracy", results)
    assert found.value == pytest.approx(raw.value)
    assert found.low < raw.low < raw.high < found.high


def test_more_labels_narrow_the_interval():
    few, many = (
        corrected(
            "accuracy",
            series((900 - n, "correct", ""), (n, "correct", "correct"), (100, "incorrect", "incorrect")),
        )
        for n in (20, 200)
    )
    assert many.high - many.low < few.high - few.low


def test_all_labelled_is_the_accuracy_by_labels():
    results = [
        sample(
            number, "correct" if number % 3 else "incorrect", "correct" if number % 4 else "incorrect", 1.0
        )
        for number in range(120)
    ]
    found = corrected("accuracy", results)
    assert found.value == pytest.approx(0.75)
    plain = METRICS["accuracy"].measure(
        MetricContext(
            tally([replace(one, verdict=replace(one.verdict, outcome=Outcome(one.label))) for one in results])
        ),
        Selector(),
    )
    assert found.high - found.low < 1.2 * (plain.high - plain.low)


def test_the_weights_are_those_of_the_draw():
    """100 samples were drawn with probability 1, 100 with 1/10: the latter stand for ten times as many."""
    results = [sample(n, "correct", "correct", 1.0) for n in range(100)]
    results += [sample(n, "correct", "incorrect", 0.1) for n in range(100, 110)]
    results += [sample(n, "correct") for n in range(110, 200)]
    assert corrected("accuracy", results).value == pytest.approx(0.5)


def test_undecided_samples_count_by_their_labels():
    results = series(
        (100, "correct", ""),
        (20, "correct", "correct"),
        (40, "undecided", ""),
        (20, "undecided", "incorrect"),
    )
    assert corrected("accuracy", results).value == pytest.approx(120 / 180)


def test_what_is_unclear_to_people_is_outside_the_denominator():
    results = series((20, "correct", "correct"), (20, "incorrect", "incorrect"), (20, "incorrect", "unclear"))
    assert corrected("accuracy", results).value == pytest.approx(0.5)


def test_a_degenerate_output_is_wrong_without_a_label():
    results = [sample(n, "degenerate", "", 0.5) for n in range(50)] + [
        sample(n, "degenerate") for n in range(50, 100)
    ]
    found = corrected("accuracy", results)
    assert found.value == 0.0
    assert found.high < 0.05


def test_a_verdict_that_nobody_checked_may_be_anything():
    results = series((80, "correct", "correct"), (20, "incorrect", ""))
    found = corrected("accuracy", results)
    assert found.value == pytest.approx(0.8)
    assert found.high > 0.99  # all twenty may be right


def test_without_a_draw_there_is_nothing_to_correct_with():
    assert corrected("accuracy", series((10, "correct", ""))) is None
    labelled_by_chance = [sample(n, "correct", "incorrect") for n in range(10)]
    assert corrected("accuracy", labelled_by_chance) is None


def test_a_changed_translation_leaves_no_corrected_number_and_says_so():
    results = [*series((50, "correct", ""), (9, "correct", "correct")), sample(999, "correct", "", 0.1)]
    found = corrected("accuracy", results)
    assert found.value is None
    assert found.note.startswith("1 of 10 samples drawn has no label for its present translation")
    assert "mtprobe label RECORD --missing" in found.note


def test_minimum_and_gap_come_from_the_corrected_categories():
    good = series(
        (90, "correct", ""), (30, "correct", "correct"), (10, "incorrect", "incorrect"), category="male"
    )
    bad = series(*BIASED, category="female", start=1000)
    lowest = corrected("minimum_accuracy", good + bad)
    gap = corrected("gap", good + bad)
    female = corrected("accuracy", good + bad, Selector("female"))
    male = corrected("accuracy", good + bad, Selector("male"))
    assert lowest.value == min(female.value, male.value) == female.value
    assert lowest.note == "female; 71 labels"
    assert gap.value == pytest.approx(male.value - female.value)
    assert gap.note == "male over female; 71 labels"
    assert gap.low <= gap.value <= gap.high


def test_a_gap_between_values_of_an_attribute_is_corrected_too():
    pro = [replace(one, attributes={"stereotype": "pro"}) for one in series((60, "correct", "correct"))]
    anti = [
        replace(one, attributes={"stereotype": "anti"})
        for one in series((30, "correct", "correct"), (30, "correct", "incorrect"), start=500)
    ]
    found = corrected("gap", pro + anti, Selector(over="stereotype"))
    assert found.value == pytest.approx(0.5)
    assert found.note == "pro over anti; 120 labels"


def test_a_category_without_labels_has_no_minimum():
    results = series((20, "correct", "correct")) + series((20, "correct", ""), category="female", start=100)
    assert corrected("minimum_accuracy", results).note == "no sample of female was drawn for labels"


def test_neither_the_order_nor_the_names_of_clusters_matter():
    results = series(*BIASED)
    results = [replace(one, cluster=f"c{number % 40}") for number, one in enumerate(results)]
    shuffled = [results[place] for place in np.random.default_rng(1).permutation(len(results))]
    one, other = corrected("accuracy", results), corrected("accuracy", shuffled)
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


@pytest.mark.parametrize(
    "metric", ["weighted_accuracy", "minimum_weighted_accuracy", "undecided", "degenerate"]
)
def test_what_labels_say_nothing_about_is_not_corrected(metric):
    assert not METRICS[metric].corrects
    assert corrected(metric, series(*BIASED)) is None
