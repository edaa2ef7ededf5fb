"""Gates and labels: decided on the corrected number where the suite asks for it, and never on missing labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mtprobe.errors import Place
from mtprobe.gates import Decision, Doubts, Gate, judge_gate, read_bound, with_labels
from mtprobe.methods.verdict import Evidence
from mtprobe.metrics import METRICS, MetricContext, Selector, tally
from tests.metrics.results import result

EVIDENCE = (Evidence("correct", "a", -1.0), Evidence("incorrect", "b", -1.0))


def gate(bound=">= 0.60", metric="accuracy"):
    return Gate(metric, METRICS[metric], Selector(), read_bound(bound), Place(Path("s.mt.yaml"), 1))


def results(wrong_labels, drawn=60, n=120):
    """All judged correct; of those drawn, some are labelled incorrect."""
    labels = ["incorrect"] * wrong_labels + ["correct"] * (drawn - wrong_labels)
    return [
        replace(result(number), label=label, drawn=drawn / n if label else None)
        for number, label in enumerate(labels + [""] * (n - drawn))
    ]


def judged(samples, gate, *, corrected=True, problem=""):
    context = MetricContext(tally(samples), decided_on_labels=corrected, label_problem=problem)
    return Doubts(context).apply(gate, with_labels(gate, context, judge_gate(gate, context)))


def test_a_gate_is_decided_on_the_corrected_number():
    found = judged(results(45), gate())
    assert found.decision is Decision.FAILED
    assert found.measure == found.corrected
    assert (found.measure.value, found.raw.value) == (pytest.approx(0.25), 1.0)


def test_or_shows_it_beside_the_one_that_decided():
    found = judged(results(45), gate(), corrected=False)
    assert found.decision is Decision.PASSED
    assert (found.measure.value, found.corrected.value, found.raw) == (1.0, pytest.approx(0.25), None)


def test_the_interval_of_the_corrected_number_decides_with_a_level():
    assert judged(results(0), gate(">= 0.80 @95%")).decision is Decision.PASSED
    found = judged(results(12), gate(">= 0.80 @95%"))
    assert found.decision is Decision.UNDECIDED
    assert judged(results(40), gate(">= 0.80 @95%")).decision is Decision.FAILED


def test_an_undecided_gate_says_how_many_labels_would_decide_it():
    found = judged(results(3), gate(">= 0.90 @95%"))
    assert found.decision is Decision.UNDECIDED
    assert found.n_to_decide > found.measure.n == 60


def test_a_missing_label_leaves_the_gate_undecided_and_is_not_skipped():
    samples = results(0)
    samples[0] = replace(samples[0], label="", translation="Outra.")
    found = judged(samples, gate())
    assert (found.decision, found.skippable) == (Decision.UNDECIDED, False)
    assert "1 of 60 samples drawn has no label for its present translation" in found.reason
    assert judged(samples, gate(), corrected=False).decision is Decision.PASSED


def test_labels_that_are_no_random_sample_decide_nothing():
    found = judged(results(0), gate(), problem="it has grown")
    assert (found.decision, found.reason) == (
        Decision.UNDECIDED,
        "the labels cannot correct anything: it has grown",
    )


def test_a_gate_without_a_drawn_sample_is_undecided():
    found = judged([result(number) for number in range(30)], gate())
    assert found.decision is Decision.UNDECIDED
    assert "no sample that the gate covers was drawn" in found.reason


def test_a_metric_that_labels_do_not_correct_is_decided_on_verdicts():
    found = judged(results(45), gate("<= 0.1", "undecided"))
    assert (found.decision, found.raw, found.corrected) == (Decision.PASSED, None, None)


def test_errors_come_first():
    context = MetricContext(tally(results(0)), decided_on_labels=True)
    found = with_labels(gate(), context, judge_gate(gate(), context, ["no connection"]))
    assert found.decision is Decision.ERROR


def test_ties_do_not_matter_to_a_corrected_gate():
    """Exact ties say nothing, but people do."""
    samples = results(0)
    tied = [
        replace(one, verdict=replace(one.verdict, probability=0.5, margin=0.0, evidence=EVIDENCE))
        for one in samples
    ]
    assert judged(tied, gate(), corrected=False).decision is Decision.UNDECIDED
    assert judged(tied, gate()).decision is Decision.PASSED
