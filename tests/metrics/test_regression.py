from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mtprobe.errors import Place
from mtprobe.gates import Bound, Decision, Gate, judge_gate
from mtprobe.metrics import MetricContext, Selector, Since, tally
from mtprobe.metrics.regression import REGRESSION
from tests.metrics.results import result


def run(n, wrong=(), version="a", size=1):
    """Samples that are all right but for the wrong ones, in clusters of a size."""
    samples = (
        result(number, "incorrect" if number in wrong else "correct", cluster=f"c{number // size}")
        for number in range(n)
    )
    return [replace(sample, translation=f"{sample.translation} {version}") for sample in samples]


def judged(before, after, bound="<= 0.02 @95%", **since):
    sign, value, *level = bound.split()
    parsed = Bound(sign, float(value), float(level[0].strip("@%")) / 100 if level else None)
    gate = Gate("regression", REGRESSION, Selector(), parsed, Place(Path("suite.mt.yaml"), 3))
    return judge_gate(gate, MetricContext(tally(after), since=Since("demo of 2026-03-01", before, **since)))


def test_an_unchanged_model_passes_at_any_bound():
    before = run(20, wrong=(3, 4))
    for bound in ("<= 0.02 @95%", "<= 0.00 @99%", "< 0.01 @95%", "<= 0.00"):
        found = judged(before, before, bound, same_judge=True)
        assert found.decision is Decision.PASSED
        assert found.regression.unchanged
        assert "identical translations and evaluator" in found.measure.note


def test_without_a_flip_other_translations_prove_as_much_as_their_number_allows():
    before, after = run(100), run(100, version="b")
    found = judged(before, after, same_judge=True)
    assert (found.decision, found.n_to_decide) == (Decision.UNDECIDED, 183)
    assert judged(run(182), run(182, version="b")).decision is Decision.UNDECIDED
    assert judged(run(183), run(183, version="b")).decision is Decision.PASSED


def test_the_same_translations_under_another_evaluator_are_not_the_same_by_construction():
    assert judged(run(100), run(100), same_judge=False).decision is Decision.UNDECIDED


def test_a_slightly_worse_model_does_not_pass_where_an_unchanged_one_would_not():
    """200 samples of which 2 regressed: the loss may be 3.6 %."""
    found = judged(run(200), run(200, wrong=(5, 9), version="b"))
    assert found.decision is Decision.UNDECIDED
    assert found.measure.high == pytest.approx(0.0357, abs=2e-4)
    assert found.regression.test == "McNemar"


def test_the_number_that_would_decide_does():
    found = judged(run(200), run(200, wrong=(5, 9), version="b"))
    assert found.decision is Decision.UNDECIDED
    n = found.n_to_decide
    wrong = range(round(2 * n / 200))
    assert judged(run(n + 50), run(n + 50, wrong, version="b")).decision is Decision.PASSED
    assert judged(run(n - 150), run(n - 150, wrong, version="b")).decision is Decision.UNDECIDED


def test_a_cluster_that_broke_as_a_whole_is_one_piece_of_evidence():
    broken = range(5)
    found = judged(run(300, size=5), run(300, broken, version="b", size=5), "<= 0.05 @95%")
    alone = judged(run(300), run(300, broken, version="b"), "<= 0.05 @95%")
    assert (found.decision, alone.decision) == (Decision.UNDECIDED, Decision.PASSED)
    assert (found.regression.test, found.regression.p) == ("cluster sign-flip test", 1.0)


def test_too_few_shared_samples_do_not_pass_and_do_not_hide_a_failure():
    before, after = run(1), run(11, version="b")
    found = judged(before, after, "<= 0.02")
    assert found.decision is Decision.UNDECIDED
    assert found.reason.startswith("only 1 of 11 samples that the later run decided can be compared (9%;")
    assert found.n_to_decide is None
    assert judged(before, run(11, wrong=(0,), version="b"), "<= 0.02").decision is Decision.FAILED


def test_an_ambiguous_baseline_is_an_error_and_a_missing_one_is_not():
    missing = judged("it has no suite", run(5))
    ambiguous = judged("2 of its suites are named so", run(5), ambiguous=True)
    assert (missing.decision, missing.reason) == (Decision.EMPTY, "not in the baseline: it has no suite")
    assert ambiguous.decision is Decision.ERROR
    assert ambiguous.reason == "the baseline is ambiguous: 2 of its suites are named so"


def test_verdicts_by_another_procedure_are_an_error():
    other = judged("judged otherwise: `mtprobe rescore`", run(5), incomparable=True)
    assert other.decision is Decision.ERROR
    assert other.reason == "not comparable with the baseline: judged otherwise: `mtprobe rescore`"
