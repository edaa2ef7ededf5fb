from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.statistics.agreement import agreement, precision, proportion, recall
from mtprobe.statistics.intervals import exact

LABELS = ("male", "female", "neutral")
pairs = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS), st.integers(0, 4), st.floats(0.5, 9)),
    min_size=1,
    max_size=40,
)


def columns(rows):
    one, other, clusters, weights = zip(*rows, strict=True)
    return list(one), list(other), [str(cluster) for cluster in clusters], np.array(weights)


@given(pairs)
def test_agreement_is_the_share_of_equal_labels(rows):
    one, other, clusters, _ = columns(rows)
    got = agreement(one, other, clusters)
    assert got.value == pytest.approx(sum(a == b for a, b in zip(one, other, strict=True)) / len(rows))
    assert got.n == len(rows)
    assert 0 <= got.low <= got.value + 1e-9
    assert got.value - 1e-9 <= got.high <= 1


@given(pairs)
def test_weighted_agreement_is_the_weight_of_equal_labels(rows):
    one, other, clusters, weights = columns(rows)
    same = sum(weight for a, b, weight in zip(one, other, weights, strict=True) if a == b)
    assert agreement(one, other, clusters, weights).value == pytest.approx(same / weights.sum())


@given(pairs, st.integers(0, 9))
def test_agreement_is_symmetric_and_knows_no_order(rows, seed):
    one, other, clusters, weights = columns(rows)
    shuffled = columns(random.Random(seed).sample(rows, len(rows)))
    assert agreement(one, other, clusters, weights).value == pytest.approx(
        agreement(shuffled[1], shuffled[0], shuffled[2], shuffled[3]).value
    )


@given(pairs, st.sampled_from(LABELS))
def test_precision_and_recall_are_what_they_are(rows, name):
    judged, truth, clusters, _ = columns(rows)
    both = sum(a == b == name for a, b in zip(judged, truth, strict=True))
    for got, of in ((precision, judged.count(name)), (recall, truth.count(name))):
        found = got(judged, truth, name, clusters)
        assert found.n == of
        assert found.value == (pytest.approx(both / of) if of else None)


def test_the_precision_of_one_is_the_recall_of_the_other():
    judged, truth = ["a", "a", "b", "a"], ["a", "b", "b", "b"]
    clusters = list("1234")
    assert precision(judged, truth, "a", clusters) == recall(truth, judged, "a", clusters)


def test_independent_places_get_the_exact_interval():
    got = agreement(["x"] * 10, ["x"] * 7 + ["y"] * 3, [str(number) for number in range(10)])
    assert (got.low, got.high) == pytest.approx(exact(7, 10))


def test_two_labels_of_one_sample_are_not_two_samples():
    one, other = ["x"] * 40, (["x"] * 14 + ["y"] * 6) * 2
    apart = agreement(one, other, [str(number) for number in range(40)])
    together = agreement(one, other, [str(number % 20) for number in range(40)])
    assert together.value == apart.value
    assert together.high - together.low > 1.2 * (apart.high - apart.low)


def test_nothing_inside_is_nothing():
    nothing = np.zeros(3, dtype=bool)
    assert proportion(nothing, nothing, ["a", "b", "c"]).value is None
