from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.errors import Place
from mtprobe.gates import Decision, Gate, judge_gate, read_bound
from mtprobe.gates.judge import decide, n_to_decide
from mtprobe.metrics import METRICS, Measure, MetricContext, Selector, tally
from tests.metrics.results import result

EVERYTHING = Selector()


def gate(key="accuracy", bound=">= 0.60", selector=EVERYTHING):
    return Gate(key, METRICS[key], selector, read_bound(bound), Place(Path("s.mt.yaml"), 3))


def found(right, wrong):
    return context([result(i, "correct" if i < right else "incorrect") for i in range(right + wrong)])


def context(results, categories=("male",)):
    return MetricContext(tally(results), categories)


def test_a_plain_bound_is_decided_on_the_value():
    assert judge_gate(gate(), found(6, 4)).decision is Decision.PASSED
    assert judge_gate(gate(), found(5, 5)).decision is Decision.FAILED


def test_a_bound_with_a_level_is_decided_on_the_interval():
    sure = gate(bound=">= 0.60 @95%")
    assert judge_gate(sure, found(70, 30)).decision is Decision.PASSED
    assert judge_gate(sure, found(40, 60)).decision is Decision.FAILED
    undecided = judge_gate(sure, found(65, 35))
    assert undecided.decision is Decision.UNDECIDED
    assert undecided.n_to_decide > 100


def test_the_n_that_would_decide_does_decide():
    sure = gate(bound=">= 0.60 @95%")
    needed = judge_gate(sure, found(65, 35)).n_to_decide
    right = round(needed * 1.1 * 0.65)
    assert judge_gate(sure, found(right, round(needed * 1.1) - right)).decision is Decision.PASSED


def test_no_number_decides_a_value_on_the_bound():
    assert n_to_decide(read_bound(">= 0.60 @95%"), Measure(0.6, 0.5, 0.7, 50)) is None


def test_missing_samples_are_an_error_with_counts_and_reasons():
    judged = judge_gate(gate(), found(9, 0), errors=["timeout", "timeout", "no key"])
    assert judged.decision is Decision.ERROR
    assert judged.reason == "3 of 12 samples could not be judged: 2 × timeout; 1 × no key"


def test_nothing_to_measure_is_told_apart_from_failing():
    empty = judge_gate(gate(), context([result(1, "undecided")]))
    assert empty.decision is Decision.EMPTY


measures = (
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
    .map(sorted)
    .map(lambda row: Measure(row[1], row[0], row[2], 100))
)


@given(measures, st.sampled_from([">=", "<=", ">", "<"]), st.floats(0, 1))
def test_passing_for_sure_means_passing_and_failing_for_sure_means_failing(measure, sign, bound):
    plain = decide(read_bound(f"{sign} {bound:.6f}"), measure)
    sure = decide(read_bound(f"{sign} {bound:.6f} @95%"), measure)
    if sure is not Decision.UNDECIDED:
        assert sure is plain


def test_a_minimum_passes_for_sure_when_every_category_does():
    rows = [result(i, "correct", category="male") for i in range(200)]
    rows += [result(200 + i, "correct" if i < 62 else "incorrect", category="female") for i in range(100)]
    results = context(rows, ("male", "female"))
    undecided = judge_gate(gate("minimum_accuracy", ">= 0.60 @95%"), results)
    assert undecided.decision is Decision.UNDECIDED
    passed = judge_gate(gate("minimum_accuracy", ">= 0.50 @95%"), results)
    assert passed.decision is Decision.PASSED


@pytest.mark.parametrize(
    ("key", "bound"), [("gap", "<= 0.2"), ("degenerate", "<= 0.1"), ("coverage", ">= 0.9")]
)
def test_other_metrics_are_gates_too(key, bound):
    rows = [result(i, category=("male", "female")[i % 2]) for i in range(20)]
    assert judge_gate(gate(key, bound), context(rows, ("male", "female"))).decision is Decision.PASSED
