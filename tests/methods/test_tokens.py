"""The most telling samples know the log-probabilities of their tokens."""

from __future__ import annotations

from dataclasses import replace

from mtprobe.backends.scorer import ScorePair
from mtprobe.errors import ModelError
from mtprobe.methods.tokens import TELLING, with_tokens
from mtprobe.methods.verdict import Outcome
from mtprobe.store import Store
from tests.report.factory import a_sample, evidence


class ByWords:
    """A scorer whose tokens are words, and the end."""

    fingerprint = "words:1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def target_spans(self, text: str):
        self.asked.append(text)
        spans, at = [], 0
        for word in text.split(" "):
            spans.append((at, at + len(word)))
            at += len(word) + 1
        return [*spans, None]


def samples(count: int = 1, outcome: Outcome = Outcome.INCORRECT):
    return [
        a_sample(f"s{n}", outcome, 0.1 + 0.001 * n, translation="A dama", evidence=evidence())
        for n in range(count)
    ]


def scores_of(results):
    return {
        ScorePair(one.text, result.translation): (-0.5, -1.0, -0.25)
        for result in results
        for one in result.verdict.evidence
    }


def test_tokens_stand_where_they_are_in_the_translation():
    results = samples()
    [result] = with_tokens(results, scores_of(results), ByWords(), "translations")
    expected = ((0, 1, -0.5), (2, 6, -1.0), (6, 6, -0.25))
    assert [one.tokens for one in result.verdict.evidence] == [expected, expected]


def test_targets_have_tokens_of_their_own():
    results = samples()
    scores = {
        ScorePair(results[0].source, one.text): tuple([-1.0] * (len(one.text.split()) + 1))
        for one in results[0].verdict.evidence
    }
    [result] = with_tokens(results, scores, ByWords(), "targets")
    assert [one.text[slice(*one.tokens[1][:2])] for one in result.verdict.evidence] == ["woman", "man"]


def test_the_surest_mistakes_are_the_most_telling():
    results = [*samples(TELLING, Outcome.CORRECT), *samples(TELLING)]
    results = [replace(result, id=f"{number}") for number, result in enumerate(results)]
    told = with_tokens(results, scores_of(results), ByWords(), "translations")
    assert [one.id for one in told] == [one.id for one in results]
    assert [bool(one.verdict.evidence[0].tokens) for one in told] == [False] * TELLING + [True] * TELLING


def test_a_scorer_that_cannot_place_its_tokens_changes_nothing():
    results = samples()
    assert with_tokens(results, scores_of(results), object(), "translations") == results


def test_tokens_that_do_not_match_their_scores_are_not_told():
    results = samples()
    scores = dict.fromkeys(scores_of(results), (-1.0,))
    assert with_tokens(results, scores, ByWords(), "translations") == results


def test_what_the_store_knows_is_not_asked_again(tmp_path):
    results = samples()
    first, second = ByWords(), ByWords()
    with Store(tmp_path / "store.sqlite") as store:
        told = [
            with_tokens(results, scores_of(results), scorer, "translations", store)
            for scorer in (first, second)
        ]
    assert told[0] == told[1]
    assert (first.asked, second.asked) == (["A dama"], [])


def test_a_model_that_is_not_there_any_more_takes_only_its_tokens_with_it():
    class Gone(ByWords):
        def target_spans(self, text: str):
            raise ModelError(f"no vocabulary for {text}")

    results = samples()
    assert with_tokens(results, scores_of(results), Gone(), "translations") == results
