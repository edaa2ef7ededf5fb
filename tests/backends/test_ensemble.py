"""Several evaluators score together: the mean of what each of them says, whatever their tokens are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.backends.ensemble import Ensemble
from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.scorer import JoinedLogProbs, ScorePair, mean, means
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Silent
from mtprobe.store import Store

PAIRS = [ScorePair("The cat sat.", "O gato sentou."), ScorePair("A dog.", "Um cão.")]
LOGPROBS = st.lists(st.floats(-50, 0), min_size=1, max_size=8).map(tuple)


class Words:
    """A token per word, each with the same log-probability; counts how often it is asked."""

    def __init__(self, name, value, languages=("en", "pt"), cut=str.split):
        self.fingerprint, self.value, self.cut = name, value, cut
        self.languages = LanguagePair(*languages)
        self.asked = 0

    def score(self, pairs):
        self.asked += len(pairs)
        return [tuple(self.value for _ in [*self.cut(target), "end"]) for _, target in pairs]

    def target_spans(self, text):
        spans, at = [], 0
        for token in self.cut(text):
            start = text.index(token, at)
            at = start + len(token)
            spans.append((start, at))
        return [*spans, None]


def test_the_score_is_the_mean_of_the_members_scores():
    ensemble = Ensemble([Words("one", -1.0), Words("other", -4.0, cut=list)])
    assert [mean(scores) for scores in ensemble.score(PAIRS)] == [-2.5, -2.5]
    assert [means(scores) for scores in ensemble.score(PAIRS)] == [(-1.0, -4.0)] * 2


@given(st.lists(LOGPROBS, min_size=2, max_size=4))
def test_the_mean_does_not_depend_on_lengths_or_order(scores):
    joined, reverse = JoinedLogProbs.of(scores), JoinedLogProbs.of(scores[::-1])
    expected = math.fsum(math.fsum(one) / len(one) for one in scores) / len(scores)
    assert mean(joined) == pytest.approx(expected)
    assert mean(joined) == mean(reverse)
    assert means(joined) == tuple(mean(one) for one in scores)


@given(LOGPROBS, st.integers(2, 3))
def test_of_equal_tokens_the_mean_can_be_taken_token_by_token(scores, members):
    joined = JoinedLogProbs.of([tuple(value * (member + 1) for value in scores) for member in range(members)])
    assert mean(joined.by_token) == pytest.approx(mean(joined))
    assert len(joined.by_token) == len(scores)
    assert JoinedLogProbs.of([scores, (*scores, -1.0)]).by_token == ()


def test_of_some_tokens_each_member_has_its_mean():
    joined = JoinedLogProbs.of([(-1.0, -2.0, -3.0), (-10.0, -30.0)])
    assert means(joined, (1, 3, 4)) == (-2.0, -20.0)
    assert mean(joined, (1, 3, 4)) == -11.0


def test_what_the_members_compute_is_stored_as_their_own(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        one, other = Words("one", -1.0), Words("other", -4.0)
        alone = score_all(one, PAIRS, store, Silent())
        together = score_all(Ensemble([one, other]), PAIRS, store, Silent())
        assert (one.asked, other.asked) == (2, 2)
        assert [means(together[pair])[0] for pair in PAIRS] == [mean(alone[pair]) for pair in PAIRS]
        score_all(Ensemble([other, one]), PAIRS, store, Silent())
        assert (one.asked, other.asked) == (2, 2)


def test_a_failure_of_one_member_is_a_failure():
    class Mute(Words):
        def score(self, pairs):
            return [Failure("too long") for _ in pairs]

    ensemble = Ensemble([Words("one", -1.0), Mute("mute", 0)])
    assert score_all(ensemble, PAIRS, None, Silent()) == dict.fromkeys(PAIRS, Failure("too long"))


def test_the_fingerprint_is_that_of_the_members_in_any_order():
    one, other = Words("one", -1.0), Words("other", -4.0)
    assert Ensemble([one, other]).fingerprint == Ensemble([other, one]).fingerprint == "ensemble: one + other"


def test_tokens_are_placed_where_the_members_agree():
    one, same, other = Words("one", -1.0), Words("same", -2.0), Words("other", -4.0, cut=list)
    assert Ensemble([one, same]).target_spans("O gato") == [(0, 1), (2, 6), None]
    assert Ensemble([one, other]).target_spans("O gato") == []


def test_members_must_score_and_share_their_languages():
    class Silence:
        languages = LanguagePair("en", "pt")
        fingerprint = "silence"

    with pytest.raises(ModelError, match="for different languages: en→pt and en→fr"):
        Ensemble([Words("one", -1.0), Words("french", -1.0, ("en", "fr"))])
    with pytest.raises(ModelError, match="Silence cannot score"):
        Ensemble([Words("one", -1.0), Silence()])
