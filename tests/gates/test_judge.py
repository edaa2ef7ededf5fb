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


@pytest.mark.parametrize(
    ("right", "n", "bound", "metric", "expected"),
    [
        (20, 20, ">= 0.99 @95%", "accuracy", 368),  # 0.025 ** (1 / 368) is 0.99
        (20, 20, "<= 0.02 @95%", "degenerate", 183),
        (20, 20, "<= 0.02 @95%", "false_positives", 183),
        (0, 20, ">= 0.02 @95%", "accuracy", 183),
    ],
)
def test_with_no_error_or_nothing_but_errors_the_smallest_n_that_decides_is_exact(
    right, n, bound, metric, expected
):
    undecided = judge_gate(gate(metric, bound), found(right, n - right))
    assert undecided.decision is Decision.UNDECIDED
    assert undecided.n_to_decide == expected
    share = right / n
    for samples, decided in ((expected - 1, False), (expected, True)):
        again = judge_gate(gate(metric, bound), found(round(share * samples), round((1 - share) * samples)))
        assert (again.decision is not Decision.UNDECIDED) is decided


def clustered(times, per_cluster=5):
    """Four clusters, one of them all wrong, so many times."""
    rows = [(f"{copy}-{cluster}", cluster > 0) for copy in range(times) for cluster in range(4)]
    return context(
        [
            result(number * per_cluster + sample, "correct" if right else "incorrect", cluster=cluster)
            for number, (cluster, right) in enumerate(rows)
            for sample in range(per_cluster)
        ]
    )


def test_the_n_that_would_decide_counts_samples_in_clusters_like_those_there_are():
    sure = gate(bound=">= 0.60 @95%")
    needed = judge_gate(sure, clustered(2)).n_to_decide
    assert judge_gate(sure, clustered(needed // 20 + 1)).decision is Decision.PASSED
    assert judge_gate(sure, clustered(round(needed / 20 * 0.85))).decision is Decision.UNDECIDED


@pytest.mark.parametrize(
    ("key", "bound"), [("gap", "<= 0.30 @95%"), ("minimum_accuracy", ">= 0.60 @95%"), ("gap", "<= 0.10 @95%")]
)
def test_the_n_that_would_decide_a_gap_or_a_minimum_does(key, bound):
    def groups(times):
        rows = [("male", 18, 20), ("female", 14, 20)]
        outcomes = [
            (category, sample < right * times) for category, right, n in rows for sample in range(n * times)
        ]
        results = [
            result(number, "correct" if right else "incorrect", category=category)
            for number, (category, right) in enumerate(outcomes)
        ]
        return context(results, ("male", "female"))

    undecided = judge_gate(gate(key, bound), groups(1))
    assert undecided.decision is Decision.UNDECIDED
    assert (
        judge_gate(gate(key, bound), groups(undecided.n_to_decide // undecided.measure.n + 1)).decision
        is not Decision.UNDECIDED
    )
    assert (
        judge_gate(
            gate(key, bound), groups(max(1, undecided.n_to_decide // undecided.measure.n - 1))
        ).decision
        is Decision.UNDECIDED
    )


def test_a_metric_that_only_gives_measures_shrinks_with_the_root_of_n():
    measure = Measure(0.65, 0.55, 0.75, 100)
    assert n_to_decide(read_bound(">= 0.60 @95%"), measure) == 400


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
