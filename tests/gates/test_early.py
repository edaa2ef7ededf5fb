"""Gates that are decided before all samples were asked"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mtprobe.errors import Place
from mtprobe.gates import Decision, Early, Gate, Population, judge_gate, read_bound
from mtprobe.gates.parse import parse_key
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.metrics import METRICS, MetricContext, Since, tally
from tests.metrics.results import result

CATEGORIES = ("male", "female")
RIGHT = Verdict(Outcome.CORRECT)


def gate(key: str, bound: str) -> Gate:
    metric, selector = parse_key(key)
    assert metric is not None
    return Gate(key, metric, selector, read_bound(bound, share=metric.is_share), Place(Path("s.mt.yaml")))


def population(male: float = 0.9, female: float = 0.9, count: int = 400, seed: int = 0) -> list[Result]:
    """In random order; as many of each category, ten samples per cluster."""
    rng = np.random.default_rng(seed)
    results = []
    for number in range(count):
        category = CATEGORIES[number % 2]
        place = number // 2 * 7 % (count // 2)  # mistakes are in all clusters
        right = place < (male if category == "male" else female) * count / 2
        results.append(
            result(number, "correct" if right else "incorrect", category=category, cluster=f"c{number // 20}")
        )
    return [results[int(place)] for place in rng.permutation(count)]


def decided(samples: list[Result], asked: int, key: str, bound: str, undecided: str | None = None, **facts):
    context = MetricContext(tally(samples[:asked]), CATEGORIES, **facts)
    counted = [
        replace(sample, verdict=Verdict(Outcome.OPEN if sample.choices else Outcome.CORRECT))
        for sample in samples
    ]
    wanted = gate(key, bound)
    return Early(context, Population(counted), undecided).decided(wanted, judge_gate(wanted, context))


@pytest.mark.parametrize(
    ("key", "bound", "asked", "decision"),
    [
        ("accuracy", ">= 0.60", 40, Decision.PASSED),
        ("accuracy[female]", ">= 0.60", 80, Decision.PASSED),
        ("accuracy", ">= 0.99", 80, Decision.FAILED),
        ("accuracy", ">= 0.88", 40, Decision.UNDECIDED),
        ("minimum_accuracy", ">= 0.60", 80, Decision.PASSED),
        ("minimum_accuracy", ">= 0.98", 200, Decision.FAILED),
        ("gap", "<= 0.20", 200, Decision.PASSED),
        ("gap", "<= 0.01", 60, Decision.UNDECIDED),
        ("undecided", "<= 0.30", 40, Decision.PASSED),
        ("degenerate", "<= 0.02", 250, Decision.PASSED),
        ("coverage", ">= 0.50", 30, Decision.PASSED),
        ("false_positives", "<= 0.50", 40, Decision.PASSED),
        ("accuracy", ">= 0.60 @95%", 120, Decision.PASSED),
        ("minimum_accuracy", ">= 0.50 @95%", 200, Decision.PASSED),
        ("accuracy", ">= 0.88 @95%", 200, Decision.UNDECIDED),
    ],
)
def test_each_kind_of_gate(key, bound, asked, decision):
    assert decided(population(), asked, key, bound).decision is decision


def test_a_large_gap_fails_early():
    assert decided(population(0.95, 0.4), 120, "gap", "<= 0.20").decision is Decision.FAILED


def test_what_holds_is_the_limit_of_all_samples_and_not_the_interval_of_some():
    judged = decided(population(), 60, "accuracy", ">= 0.60", undecided="the end")
    everything = sum(sample.verdict.outcome is Outcome.CORRECT for sample in population()) / 400
    assert judged.decision is Decision.PASSED
    assert 0.60 <= judged.measure.low <= everything <= judged.measure.high
    assert judged.measure.n == 60


def test_the_limits_of_a_gate_with_a_level_are_wider():
    plain, level = (
        decided(population(), 100, "accuracy", bound, undecided="the end").measure
        for bound in (">= 0.60", ">= 0.60 @95%")
    )
    assert level.low < plain.low <= plain.high < level.high


def test_a_gate_that_is_not_decided_says_why_no_more_was_asked():
    judged = decided(population(), 60, "accuracy", ">= 0.89", undecided="the budget ended")
    assert (judged.decision, judged.reason, judged.n_to_decide) == (
        Decision.UNDECIDED,
        "the budget ended",
        None,
    )


def test_a_category_that_was_not_asked_yet_leaves_gaps_and_minima_undecided():
    males_first = sorted(population(), key=lambda sample: sample.category == "female")
    for key, bound in (("minimum_accuracy", ">= 0.10"), ("gap", "<= 0.90")):
        assert decided(males_first, 100, key, bound).decision is Decision.UNDECIDED


def test_samples_that_could_not_be_judged_are_an_error_at_once():
    context = MetricContext(tally(population()[:20]), CATEGORIES)
    wanted = gate("accuracy", ">= 0.60")
    failed = judge_gate(wanted, context, ["timeout"])
    assert Early(context, Population(population())).decided(wanted, failed).decision is Decision.ERROR


def test_a_sample_that_could_not_be_judged_is_in_nobody_s_way():
    samples = population()
    samples[5] = replace(samples[5], verdict=Verdict(Outcome.ERROR, "timeout"))
    context = MetricContext(tally(samples[:20]), CATEGORIES)
    wanted = gate("accuracy", ">= 0.60")
    early = Early(context, Population(population()), "the end")
    assert early.decided(wanted, judge_gate(wanted, context, ["timeout"])).decision is Decision.ERROR
    assert early.decided(wanted, judge_gate(wanted, context)).measure.n == 19


def test_the_audit_of_the_evaluator_waits_for_no_sample():
    judged = decided(population(), 20, "audit_accuracy", ">= 0.90", undecided="the end")
    assert judged.decision is Decision.EMPTY
    assert judged.reason.startswith("the evaluator was not audited")


@pytest.mark.parametrize(("lost", "decision"), [(0.0, Decision.PASSED), (0.3, Decision.FAILED)])
def test_a_regression_is_decided_on_the_pairs_so_far(lost, decision):
    before = population(1.0, 1.0)
    after = population(1.0 - lost, 1.0 - lost)
    since = Since("then", before)
    assert decided(after, 150, "regression", "<= 0.05", since=since).decision is decision


def test_repeats_are_no_further_samples():
    once = population(count=100)
    thrice = [replace(sample, repeat=number) for sample in once[:30] for number in (1, 2, 3)]
    wanted, counted = gate("accuracy", ">= 0.60"), Population([replace(one, verdict=RIGHT) for one in once])
    found = []
    for results in (once[:30], thrice):
        context = MetricContext(tally(results), CATEGORIES)
        found.append(Early(context, counted, "the end").decided(wanted, judge_gate(wanted, context)))
    assert found[0].measure == found[1].measure
    assert found[0].decision is found[1].decision


def test_a_choice_is_decided_among_open_samples():
    rng = np.random.default_rng(1)
    samples = [
        replace(
            result(number, category=None),
            choices=("male", "female"),
            verdict=Verdict(Outcome.OPEN, choice="male" if rng.random() < 0.5 else "female"),
        )
        for number in range(300)
    ]
    assert decided(samples, 60, "chosen[male]", "<= 0.90").decision is Decision.PASSED


def test_metrics_that_rank_or_compare_all_samples_need_them_all():
    needy = {name for name, metric in METRICS.items() if not metric.sequential}
    assert {"weighted_accuracy", "minimum_weighted_accuracy", "sfii", "mfs", "bias", "discrepancy"} <= needy
    assert needy.isdisjoint({"accuracy", "minimum_accuracy", "gap", "degenerate", "undecided", "regression"})
    assert decided(population(), 400, "weighted_accuracy", ">= 0.10").decision is Decision.UNDECIDED
