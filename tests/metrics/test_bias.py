"""Attribute bias over targets of minimal pairs."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from scipy.stats.contingency import association

from mtprobe.datasets.contrastive.wino_x import ORDERS
from mtprobe.methods.verdict import TRANSLATION, Evidence
from mtprobe.metrics import Selector, measure, tally
from mtprobe.metrics.bias import effect, mann_whitney, rank_biserial
from mtprobe.metrics.preferences import cramers_v, preferences, swap_test
from tests.metrics.results import result

GENDERS = ("masculine", "feminine", "neuter")
SCALE = {"gender": GENDERS}

counts = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=2, max_size=5).filter(
    lambda rows: sum(one for one, _ in rows) and sum(other for _, other in rows)
)


def preferring(number, preferred, rejected, *, right=True, cluster=None):
    """A sample whose best target is `preferred`, right or not."""
    evidence = (
        Evidence("correct" if right else "incorrect", "x", -1.0, attributes={"gender": preferred}),
        Evidence("incorrect" if right else "correct", "y", -2.0, attributes={"gender": rejected}),
        Evidence(TRANSLATION, "z", -0.1),
    )
    made = result(number, "correct" if right else "incorrect", cluster=cluster)
    return replace(made, verdict=replace(made.verdict, evidence=evidence, probability=None))


def bias(results, scale=SCALE):
    return measure("bias", tally(results, 0, scale), Selector(over="gender"), ())


@given(counts)
def test_the_correlation_and_the_test_are_those_of_scipy(rows):
    preferred, rejected = (np.array(column, float) for column in zip(*rows, strict=True))
    one, other = (np.repeat(np.arange(len(rows)), column.astype(int)) for column in (preferred, rejected))
    found = mannwhitneyu(one, other, method="asymptotic")
    expected = 2 * found.statistic / (len(one) * len(other)) - 1
    assert rank_biserial(preferred, rejected) == pytest.approx(expected, abs=1e-12)
    if len(set(one) | set(other)) > 1:
        assert mann_whitney(preferred, rejected) == pytest.approx(found.pvalue, abs=1e-12)


def test_a_model_that_always_takes_one_of_two_values_has_a_bias_of_one():
    found = bias([preferring(n, "masculine", "feminine", right=n % 2 == 0) for n in range(40)])
    assert found.value == 1.0
    assert found.n == 40
    assert found.note == (
        "a large effect, p < 0.001; RBC -1.00 in the order masculine, feminine; "
        "preferred: masculine 40 of 40, feminine 0 of 40; in any order: Cramér's V 1.00, p < 0.001"
    )


def test_a_model_that_takes_both_equally_often_has_none():
    results = [preferring(n, *GENDERS[:2][:: 1 if n % 2 else -1]) for n in range(400)]
    found = bias(results)
    assert found.value == pytest.approx(0.0)
    assert found.low <= found.value <= found.high < 0.2
    assert found.note.startswith("a negligible effect")


def test_words_rank_as_the_suite_orders_them_and_numbers_by_themselves():
    results = [preferring(n, "neuter", "masculine") for n in range(9)]
    results += [preferring(n, "masculine", "feminine") for n in range(9, 12)]
    by_words = bias(results)
    numbers = {name: number for number, name in enumerate(GENDERS, start=1)}

    def numbered(one):
        evidence = tuple(
            replace(each, attributes={name: numbers[value] for name, value in each.attributes.items()})
            for each in one.verdict.evidence
        )
        return replace(one, verdict=replace(one.verdict, evidence=evidence))

    assert bias([numbered(one) for one in results], {}).value == by_words.value


def test_a_tie_prefers_nothing():
    tied = preferring(1, "masculine", "feminine")
    evidence = tuple(replace(one, score=-1.0) for one in tied.verdict.evidence)
    found = bias([replace(tied, verdict=replace(tied.verdict, evidence=evidence))])
    assert found.value is None


@pytest.mark.parametrize(("d", "threshold"), [(0.2, 0.10), (0.5, 0.24), (0.8, 0.37)])
def test_effects_have_cohens_thresholds_for_equal_groups(d, threshold):
    exact = d / math.sqrt(d * d + 4)
    assert round(exact, 2) == threshold
    names = {0.2: "a small effect", 0.5: "a medium effect", 0.8: "a large effect"}
    assert effect(exact + 1e-9, 50, 50) == names[d]
    assert effect(exact - 1e-9, 50, 50) != names[d]


def test_unequal_groups_need_less():
    assert effect(0.09, 100, 200) == "a negligible effect"
    assert effect(0.095, 100, 200) == "a small effect"  # 0.2 / √(0.04 + 4.5)


# Wino-X, Table 14: how often the EN-RU model preferred each gender; masculine is right in 40 % of the samples.
PREFERRED = {"masculine": 1674, "feminine": 311, "neuter": 124}
REJECTED_MASCULINE = round(2 * 0.4 * sum(PREFERRED.values())) - PREFERRED["masculine"]


def russian_biases(order):
    """|RBC| for each way in which the other rejected targets can be feminine and neuter."""
    others = sum(PREFERRED.values()) - REJECTED_MASCULINE
    for feminine in range(0, others + 1, 10):
        rejected = {"masculine": REJECTED_MASCULINE, "feminine": feminine, "neuter": others - feminine}
        counts = (np.array([side[gender] for gender in order], float) for side in (PREFERRED, rejected))
        yield abs(float(rank_biserial(*counts)))


def test_only_the_order_of_the_authors_code_can_give_the_published_bias():
    assert min(russian_biases(ORDERS["stated"])) >= 0.7
    authors = list(russian_biases(ORDERS["authors"]))
    assert min(authors) < 0.31 < max(authors)


def test_the_statistic_in_any_order_does_not_depend_on_the_order():
    rng = np.random.default_rng(3)
    results = [
        preferring(n, *(rng.permutation(GENDERS)[:2] if n % 3 else ("feminine", "masculine")))
        for n in range(120)
    ]
    notes = [bias(results, {"gender": order}) for order in permutations(GENDERS)]
    assert len({round(found.value, 6) for found in notes}) > 1
    assert len({found.note.partition("in any order")[2] for found in notes}) == 1


def test_the_test_in_any_order_keeps_its_level_and_takes_clusters_together():
    rng = np.random.default_rng(7)
    ps = []
    for _ in range(200):
        results = []
        for schema in range(40):  # both samples of a schema prefer the same one, at random
            first, second = rng.permutation(GENDERS)[:2]
            results += [preferring(2 * schema + n, first, second, cluster=f"c{schema}") for n in (0, 1)]
        ps.append(swap_test(preferences(tally(results, 0, SCALE), "gender", np.ones(80, bool))))
    assert 0.01 <= np.mean(np.array(ps) <= 0.05) <= 0.1


def test_cramers_v_is_that_of_scipy():
    table = np.array([[1674.0, 311, 124], [13, 1500, 596]])
    assert cramers_v(*table) == pytest.approx(association(table.astype(int), method="cramer"))
