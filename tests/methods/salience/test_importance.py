from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.stats import ttest_ind

from mtprobe.methods.salience.importance import importance, published_importance
from mtprobe.methods.salience.outcome import Salience, SalienceQuestion, SuiteSalience, Token, Word
from mtprobe.records import read_run, write_run
from tests.report.factory import a_run, a_suite


def sentence(cluster: str, triggers: list[float], others: list[float], rest=()) -> Salience:
    kinds = [*(("trigger", one) for one in triggers), *(("other", one) for one in others), *rest]
    words = tuple(Word("w", at, at + 1, kind, value) for at, (kind, value) in enumerate(kinds))
    return Salience(
        SalienceQuestion("id", "w" * len(kinds), "t", (0, 1), "u", (0, 1), (), None, cluster), 0.5, 0.9, words
    )


def drawn(count: int, shift: float, seed: int = 0) -> list[Salience]:
    random = np.random.default_rng(seed)
    return [
        sentence(
            str(number // 2),
            (shift + random.normal(0, 0.1, random.integers(1, 3))).tolist(),
            random.normal(0, 0.1, random.integers(4, 9)).tolist(),
        )
        for number in range(count)
    ]


def values(sentences, kind):
    return [word.salience for one in sentences for word in one.words if word.kind == kind]


def test_d_is_the_difference_of_means_in_pooled_standard_deviations():
    sentences = drawn(40, shift=0.05)
    found = importance(sentences)
    one, other = (np.array(values(sentences, kind)) for kind in ("trigger", "other"))
    pooled = math.sqrt(
        ((len(one) - 1) * one.var(ddof=1) + (len(other) - 1) * other.var(ddof=1))
        / (len(one) + len(other) - 2)
    )
    assert found.d.value == pytest.approx((one.mean() - other.mean()) / pooled)
    assert (found.triggers, found.others, found.d.n) == (len(one), len(other), 40)
    assert found.trigger_mean == pytest.approx(one.mean())
    assert found.d.low < found.d.value < found.d.high


def test_the_test_is_paired_by_sentence():
    sentences = drawn(30, shift=0.03)
    found = importance(sentences)
    expected = stats.ttest_rel(
        [np.mean(values([one], "trigger")) for one in sentences],
        [np.mean(values([one], "other")) for one in sentences],
    )
    assert (found.t, found.p) == pytest.approx((expected.statistic, expected.pvalue))


@pytest.mark.parametrize(
    ("shift", "effect"), [(0.0, "trivial"), (0.035, "small"), (0.06, "medium"), (0.2, "large")]
)
def test_the_effect_has_cohens_name(shift, effect):
    assert importance(drawn(400, shift)).effect == effect


def test_the_word_asked_about_signs_and_words_without_tokens_do_not_count():
    plain = [sentence("a", [0.3, 0.1], [0.0, 0.1]), sentence("b", [0.2], [0.05, 0.1])]
    more = [
        sentence("a", [0.3, 0.1], [0.0, 0.1], [("focus", 0.9), ("sign", -0.9), ("other", None)]),
        sentence("b", [0.2], [0.05, 0.1]),
        sentence("c", [], [0.5]),
    ]
    assert importance(more) == importance(plain)


def test_the_order_of_sentences_makes_no_difference():
    sentences = drawn(20, shift=0.05)
    one, other = importance(sentences), importance(sentences[::-1])
    assert one.d.value == pytest.approx(other.d.value)
    assert one.p == pytest.approx(other.p)


def test_what_is_not_defined_is_said():
    assert importance([]) is None
    assert importance([sentence("a", [], [0.1])]) is None
    same = importance([sentence("a", [0.1], [0.1]), sentence("b", [0.1], [0.1, 0.1])])
    assert (same.d.value, same.t, same.p) == (None, None, None)
    alone = importance([sentence("a", [0.3], [0.1, 0.0])])
    assert alone.d.value == pytest.approx(0.25 / 0.05**0.5 * 10**0.5)
    assert not alone.d.has_interval
    assert "one cluster" in alone.d.note


def test_salience_reads_back_from_a_record(tmp_path):
    sentences = tuple(drawn(6, shift=0.05))
    salience = SuiteSalience(
        sentences, importance(sentences), importance(sentences), (("id", "too long"),), 3
    )
    for written in (salience, SuiteSalience((), None)):
        write_run(tmp_path / "run.jsonl", a_run(a_suite(salience=written)))
        assert read_run(tmp_path / "run.jsonl").suites[0].salience == written


def test_the_published_figures_are_over_tokens_with_an_unpaired_test():
    rng = np.random.default_rng(5)
    tokens = [
        [
            *(Token("trigger", value) for value in rng.normal(0.1, 0.1, 2)),
            *(Token("other", value) for value in rng.normal(0, 0.1, 7)),
            Token("focus", 9.0),
        ]
        for _ in range(20)
    ]
    sentences = [
        replace(sentence(str(number), [0.1], [0.0]), tokens=tuple(row)) for number, row in enumerate(tokens)
    ]
    found = published_importance(sentences)
    triggers, others = (
        np.array([token.salience for row in tokens for token in row if token.kind == kind])
        for kind in ("trigger", "other")
    )
    expected = ttest_ind(triggers, others, equal_var=False)
    pooled = np.sqrt(
        (39 * triggers.var(ddof=1) + 139 * others.var(ddof=1)) / (len(triggers) + len(others) - 2)
    )
    assert found.d.value == pytest.approx((triggers.mean() - others.mean()) / pooled)
    assert (found.t, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found.triggers, found.others) == (40, 140)
    assert published_importance([sentence("a", [0.1], [0.0])]) is None
