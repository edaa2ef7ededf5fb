"""How much likelier a model's own translations are than the targets it is shown; and accuracy over schemas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.gates.judge import Decision, decide
from mtprobe.gates.parse import read_bound
from mtprobe.methods.verdict import TRANSLATION, Evidence
from mtprobe.metrics import Selector, measure, tally
from mtprobe.report.numbers import with_interval
from mtprobe.statistics.clustered import Ratio, mean
from tests.metrics.results import result

scores = st.floats(-9, 0)


def scored(number, own, right, wrong, **rest):
    evidence = (Evidence("correct", "x", right), Evidence("incorrect", "y", wrong))
    if own is not None:
        evidence += (Evidence(TRANSLATION, "z", own),)
    made = result(number, "correct" if right >= wrong else "incorrect", **rest)
    return replace(made, verdict=replace(made.verdict, evidence=evidence))


def value(metric, results, selector=None):
    return measure(metric, tally(results), selector or Selector(), ())


@given(st.lists(st.tuples(scores, scores, scores), min_size=2, max_size=20))
def test_it_is_the_mean_of_own_less_the_better_target(rows):
    results = [scored(number, *row) for number, row in enumerate(rows)]
    differences = [own - max(right, wrong) for own, right, wrong in rows]
    assert value("discrepancy", results).value == pytest.approx(np.mean(differences))
    assert value("discrepancy_clipped", results).value == pytest.approx(
        np.mean(np.clip(differences, 0, None))
    )
    assert value("discrepancy_clipped", results).value >= value("discrepancy", results).value - 1e-12


def test_a_sample_without_a_translation_of_its_own_does_not_count():
    results = [scored(1, -1.0, -2.0, -3.0), scored(2, None, -2.0, -3.0), scored(3, -1.0, -1.5, -3.0)]
    found = value("discrepancy", results)
    assert (found.value, found.n) == (0.75, 2)
    assert value("discrepancy", results[1:2]).value is None


def test_it_is_asked_of_a_category_like_any_metric():
    results = [
        scored(number, -1.0, better, -5.0, category=category)
        for number, (category, better) in enumerate([("male", -2.0), ("female", -4.0)] * 2)
    ]
    assert value("discrepancy", results, Selector(category="female")).value == 3.0


@pytest.mark.parametrize("metric", ["discrepancy", "discrepancy_clipped"])
def test_one_cluster_has_a_value_and_no_interval(metric):
    results = [scored(number, -1.0, -2.0, -3.0, cluster="same") for number in range(3)]
    found = value(metric, results)
    assert (found.value, found.n, found.has_interval) == (1.0, 3, False)
    assert found.note == "all samples belong to one cluster, which says nothing about others"
    assert with_interval(found) == "1.00 (95% interval unknown, n = 3)"


def test_a_gate_on_one_cluster_is_decided_by_the_value_alone_and_never_by_the_interval():
    found = value("discrepancy", [scored(1, -1.0, -2.0, -3.0)])
    assert decide(read_bound("<= 2", share=False), found) is Decision.PASSED
    assert decide(read_bound("<= 2 @ 95%", share=False), found) is Decision.UNDECIDED


def test_the_interval_holds_the_mean_and_narrows_with_more_clusters():
    rng = np.random.default_rng(1)
    widths = []
    for clusters in (20, 400, 4000):
        sums = rng.normal(2.0, 1.0, clusters)
        low, high = mean(Ratio(sums, np.ones(clusters))).interval(0.95)
        assert low < sums.mean() < high
        widths.append(high - low)
    assert widths[0] > widths[1] > widths[2]


def test_a_schema_is_right_when_every_sample_of_it_is():
    outcomes = [("a", "correct"), ("a", "correct"), ("b", "correct"), ("b", "incorrect"), ("c", "correct")]
    results = [result(n, outcome, cluster=cluster) for n, (cluster, outcome) in enumerate(outcomes)]
    found = value("pair_accuracy", results)
    assert (found.value, found.n) == (0.5, 2)  # c has one sample only, so it is no pair


def test_false_positives_are_the_rest_of_accuracy():
    results = [result(n, "correct" if n % 3 else "incorrect") for n in range(9)]
    assert value("false_positives", results).value == pytest.approx(1 - value("accuracy", results).value)
