"""Gates on suites that withhold verdicts: decided on the bounds, and undecided where too many are withheld"""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.errors import Place
from mtprobe.gates import Decision, Doubts, Gate, judge_gate, read_bound
from mtprobe.metrics import METRICS, MetricContext, Selector, tally
from tests.metrics.results import result
from tests.metrics.test_withheld import withheld

CATEGORIES = ("male", "female")


def judged(results, key: str, bound: str, selector: Selector | None = None):
    metric = METRICS[key]
    context = MetricContext(tally(results), CATEGORIES)
    gate = Gate(
        key, metric, selector or Selector(), read_bound(bound, share=metric.is_share), Place(Path("s"), 1)
    )
    return Doubts(context).apply(gate, judge_gate(gate, context))


def suite(right: int, wrong: int, undecided: int, category: str = "male"):
    start = 1000 * (category == "female")
    return [
        *(result(start + n, category=category) for n in range(right)),
        *(result(start + right + n, "incorrect", category=category) for n in range(wrong)),
        *(withheld(start + right + wrong + n, category=category) for n in range(undecided)),
    ]


def test_a_gate_with_a_level_is_decided_on_the_bounds():
    certain = suite(180, 20, 0)
    assert judged(certain, "accuracy", ">= 0.80 @95%").decision is Decision.PASSED
    doubtful = suite(180, 20, 30)  # 0.78 if all of them are wrong
    assert judged(doubtful, "accuracy", ">= 0.80 @95%").decision is Decision.UNDECIDED
    assert judged(doubtful, "accuracy", ">= 0.60 @95%").decision is Decision.PASSED
    assert judged(doubtful, "accuracy", ">= 0.99 @95%").decision is Decision.FAILED


def test_no_number_of_samples_decides_a_gate_between_its_bounds():
    outcome = judged(suite(1800, 200, 300), "accuracy", ">= 0.80 @95%")
    assert outcome.decision is Decision.UNDECIDED
    assert outcome.n_to_decide is None
    assert outcome.measure.bounds == pytest.approx((1800 / 2300, 2100 / 2300))


def test_without_a_level_the_decided_samples_count():
    assert judged(suite(90, 10, 20), "accuracy", ">= 0.85").decision is Decision.PASSED


@pytest.mark.parametrize(
    ("key", "bound"),
    [
        ("accuracy", ">= 0.1"),
        ("weighted_accuracy", ">= 0.1"),
        ("minimum_accuracy", ">= 0.1"),
        ("gap", "<= 0.9"),
        ("false_positives", "<= 0.9"),
        ("accuracy", ">= 0.999"),  # would fail
    ],
)
def test_above_a_fifth_undecided_every_gate_on_accuracy_is_undecided(key, bound):
    both = [*suite(70, 8, 22), *suite(70, 8, 22, "female")]
    outcome = judged(both, key, bound)
    assert outcome.decision is Decision.UNDECIDED
    assert not outcome.skippable
    assert outcome.reason.startswith(
        "44 of 200 samples are undecided (22%): their margins are within the noise"
    )
    fewer = [*suite(72, 8, 20), *suite(72, 8, 20, "female")]
    assert judged(fewer, key, bound).decision is not Decision.UNDECIDED


def test_one_category_above_a_fifth_is_enough_for_gates_that_compare_categories():
    both = [*suite(300, 0, 0), *suite(30, 0, 20, "female")]
    assert "20 of 50 samples of [female]" in judged(both, "gap", "<= 0.9").reason
    assert judged(both, "accuracy", ">= 0.5", Selector("male")).decision is Decision.PASSED
    assert judged(both, "accuracy", ">= 0.5", Selector("female")).decision is Decision.UNDECIDED


def test_counts_of_outcomes_are_gated_as_ever():
    assert judged(suite(10, 0, 90), "undecided", "<= 0.95").decision is Decision.PASSED
    assert judged(suite(10, 0, 90), "degenerate", "<= 0.02").decision is Decision.PASSED


def test_a_lexicon_that_finds_nothing_is_no_doubt():
    results = [*suite(10, 0, 0), *(result(100 + n, "undecided") for n in range(90))]
    assert judged(results, "accuracy", ">= 0.9").decision is Decision.PASSED


def test_one_undecided_sample_is_singular():
    reason = judged(suite(3, 0, 1), "accuracy", ">= 0.1").reason
    assert reason.startswith(
        "1 of 4 samples is undecided (25%): its margin is within the noise, and above 20%"
    )
