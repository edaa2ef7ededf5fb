from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.metrics import METRICS, Selector, measure, tally

from .results import result

CATEGORIES = ("male", "female")
EVERYTHING = Selector()

outcomes = st.sampled_from(["correct", "incorrect", "undecided", "degenerate", "error"])
results = st.lists(
    st.tuples(outcomes, st.sampled_from(CATEGORIES), st.floats(0.01, 0.49), st.integers(0, 5)),
    min_size=1,
    max_size=60,
).map(
    lambda rows: [
        result(
            number,
            outcome,
            category=category,
            p=(0.5 + sure if outcome == "correct" else 0.5 - sure)
            if outcome in ("correct", "incorrect")
            else None,
            cluster=f"c{cluster}",
        )
        for number, (outcome, category, sure, cluster) in enumerate(rows)
    ]
)


def value(metric, found, selector=EVERYTHING):
    return measure(metric, tally(found), selector, CATEGORIES).value


@given(results)
def test_accuracy_is_right_over_decided_with_degenerate_as_wrong(found):
    outcomes = [one.verdict.outcome for one in found]
    decided = sum(outcomes.count(kind) for kind in ("correct", "incorrect", "degenerate"))
    got = measure("accuracy", tally(found), Selector(), CATEGORIES)
    assert got.n == decided
    assert got.value == (pytest.approx(outcomes.count("correct") / decided) if decided else None)


@given(results)
def test_weights_of_a_category_of_n_sum_to_n_times_n_plus_1_over_2(found):
    counted = tally(found)
    for category in CATEGORIES:
        inside = Selector(category).mask(counted) & counted.decided
        n = int(inside.sum())
        assert counted.weights[inside].sum() == pytest.approx(n * (n + 1) / 2)
        assert not counted.weights[~counted.decided].any()


@given(results, st.integers(0, 10**6))
def test_the_order_of_samples_changes_nothing(found, seed):
    shuffled = found[:]
    random.Random(seed).shuffle(shuffled)
    for metric in METRICS:
        one, other = (measure(metric, tally(order), Selector(), CATEGORIES) for order in (found, shuffled))
        assert (one.value, one.n) == (
            other.value if one.value is None else pytest.approx(other.value),
            other.n,
        )
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9)


@given(results)
def test_every_value_lies_in_its_interval_and_in_0_to_1_or_is_a_difference(found):
    for metric in METRICS:
        got = measure(metric, tally(found), Selector(), CATEGORIES)
        if got.value is not None:
            lowest = -1 if metric.startswith("delta") else 0
            assert lowest <= got.low <= got.high <= 1
            assert got.low - 1e-9 <= got.value <= got.high + 1e-9


@given(results)
def test_the_minimum_is_the_lowest_categorys(found):
    for metric, of in (("minimum_accuracy", "accuracy"), ("minimum_weighted_accuracy", "weighted_accuracy")):
        each = [value(of, found, Selector(category)) for category in CATEGORIES]
        assert value(metric, found) == (None if None in each else min(each))


def test_the_surest_of_n_counts_n():
    found = [
        result(1, "correct", p=0.9),  # weight 3
        result(2, "incorrect", p=0.3),  # weight 2
        result(3, "correct", p=0.51),  # weight 1
    ]
    assert value("weighted_accuracy", found) == pytest.approx(4 / 6)
    assert value("accuracy", found) == pytest.approx(2 / 3)


def test_equal_confidences_share_their_weights():
    found = [result(1, "correct", p=0.75), result(2, "incorrect", p=0.25), result(3, "incorrect", p=0.45)]
    assert value("weighted_accuracy", found) == pytest.approx(2.5 / 6)


def test_weights_are_ranked_inside_each_category():
    found = [
        result(1, "correct", category="male", p=0.99),
        result(2, "incorrect", category="female", p=0.45),
        result(3, "correct", category="female", p=0.52),
    ]
    # the total is the same ratio over all samples with those weights: 1 and (2 wrong, 1 right)
    assert value("weighted_accuracy", found) == pytest.approx(2 / 4)
    assert value("weighted_accuracy", found, Selector("female")) == pytest.approx(1 / 3)


def test_a_degenerate_output_counts_among_the_surest_mistakes():
    found = [result(1, "degenerate"), result(2, "correct", p=0.6)]
    assert value("weighted_accuracy", found) == pytest.approx(1 / 3)


def test_independent_samples_get_the_exact_interval():
    found = [result(number, "correct" if number < 7 else "incorrect") for number in range(10)]
    got = measure("accuracy", tally(found), Selector(), CATEGORIES)
    assert (got.low, got.high) == pytest.approx((0.3475, 0.9333), abs=1e-4)


def test_attributes_select_and_compare():
    found = [
        result(1, "correct", stereotype="pro"),
        result(2, "correct", stereotype="pro"),
        result(3, "incorrect", stereotype="anti"),
        result(4, "correct", stereotype="anti"),
        result(5, "incorrect"),
    ]
    assert value("accuracy", found, Selector(attributes=(("stereotype", "anti"),))) == 0.5
    gap = measure("gap", tally(found), Selector(over="stereotype"), CATEGORIES)
    assert gap.value == 0.5
    assert gap.note == "pro over anti"
    assert gap.n == 4


def test_shares_count_over_all_that_was_judged():
    found = [result(1), result(2, "undecided"), result(3, "degenerate"), result(4, "error")]
    assert value("undecided", found) == pytest.approx(1 / 3)
    assert value("degenerate", found) == pytest.approx(1 / 3)
    assert value("coverage", found) == pytest.approx(2 / 3)


@pytest.mark.parametrize("metric", ["minimum_accuracy", "minimum_weighted_accuracy"])
def test_the_minimum_has_the_n_of_the_lowest_category(metric):
    found = [result(n, category="male") for n in range(30)]
    found += [result(n, "incorrect" if n % 2 else "correct", category="female") for n in range(30, 40)]
    found += [result(40, "undecided", category="female")]
    got = measure(metric, tally(found), Selector(), ("male", "female"))
    assert (got.note, got.n) == ("female", 10)


def test_a_category_without_a_decision_leaves_the_minimum_unmeasured():
    got = measure("minimum_accuracy", tally([result(1)]), Selector(), CATEGORIES)
    assert got.value is None
    assert "female" in got.note


def test_one_cluster_has_a_value_and_an_interval_that_says_nothing():
    found = [
        result(number, "correct" if number < 7 else "incorrect", cluster="doctor") for number in range(10)
    ]
    got = measure("accuracy", tally(found), Selector(), CATEGORIES)
    assert (got.value, got.low, got.high) == (0.7, 0.0, 1.0)
    assert "one cluster" in got.note
