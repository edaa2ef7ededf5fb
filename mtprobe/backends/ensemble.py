"""Several evaluators as one: a target's score is the mean of their scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mtprobe.backends.answers import Answers, ChoiceScores, Question, as_shares, can_answer
from mtprobe.backends.protocols import LanguagePair, Opened, runtime_of
from mtprobe.backends.scorer import JoinedLogProbs, ScorePair, Scorer, TokenLogProbs, can_score
from mtprobe.errors import Failure, ModelError
from mtprobe.language import tags

TOGETHER = " + "  # between the names of evaluators


class Ensemble:
    """A scorer made of scorers for the same languages. What each of them computes is stored as its own."""

    def __init__(self, members: Sequence[Opened]) -> None:
        self.members: tuple[Scorer, ...] = tuple(map(_scorer, members))
        self.languages: LanguagePair = members[0].languages
        for member in members[1:]:
            if not _same(self.languages, member.languages):
                raise ModelError(
                    f"the evaluators are for different languages: {self.languages} and {member.languages}"
                )

    @property
    def fingerprint(self) -> str:
        """The same whatever the order of the members."""
        return f"ensemble: {TOGETHER.join(sorted(member.fingerprint for member in self.members))}"

    @property
    def scoring_fingerprint(self) -> str:
        own = (getattr(member, "scoring_fingerprint", None) or member.fingerprint for member in self.members)
        return f"ensemble: {TOGETHER.join(sorted(own))}"

    @property
    def dtype(self) -> str:
        return self._each(lambda member: str(getattr(member, "dtype", "") or ""))

    @property
    def runtime(self) -> str:
        return self._each(runtime_of)

    def _each(self, of: Callable[[Scorer], str]) -> str:
        return "; ".join(dict.fromkeys(text for member in self.members if (text := of(member))))

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        by_member = [member.score(pairs) for member in self.members]
        return [joined(scores) for scores in zip(*by_member, strict=True)]

    def target_spans(self, text: str) -> Sequence[tuple[int, int] | None]:
        """The spans of all members if they agree; otherwise none."""
        places = [getattr(member, "target_spans", None) for member in self.members]
        spans = [list(place(text)) if callable(place) else [] for place in places]
        return spans[0] if all(other == spans[0] for other in spans) else []


class AnsweringEnsemble(Ensemble):
    """An ensemble of language models that answer questions: a choice has the mean of its log-probabilities, as shares of the choices."""

    @property
    def judges(self) -> tuple[Answers, ...]:
        return tuple(member for member in self.members if can_answer(member))

    @property
    def answering_fingerprint(self) -> str:
        return f"ensemble: {TOGETHER.join(sorted(judge.answering_fingerprint for judge in self.judges))}"

    def answer_scores(self, questions: Sequence[Question]) -> list[ChoiceScores | Failure]:
        by_judge = [judge.answer_scores(questions) for judge in self.judges]
        return [joined_answers(answers) for answers in zip(*by_judge, strict=True)]


def joined_answers(answers: Sequence[ChoiceScores | Failure]) -> ChoiceScores | Failure:
    """The answers of all members to one question; a failure if one failed."""
    for answer in answers:
        if isinstance(answer, Failure):
            return answer
    shares = [as_shares(answer) for answer in answers if not isinstance(answer, Failure)]
    means = [(math.fsum(values) / len(values),) for values in zip(*shares, strict=True)]
    return tuple((share,) for share in as_shares(means))


def joined(scores: Sequence[TokenLogProbs | Failure]) -> TokenLogProbs | Failure:
    """The scores of all members for one pair; a failure if one failed."""
    known = [score for score in scores if not isinstance(score, Failure)]
    if len(known) < len(scores):
        return next(score for score in scores if isinstance(score, Failure))
    return JoinedLogProbs.of(known)


def _scorer(model: Opened) -> Scorer:
    if not can_score(model) or hasattr(model, "for_suite"):  # scores by place say nothing of new sources
        raise ModelError(
            f"{type(model).__name__} cannot score new texts, so it cannot be one of several evaluators"
        )
    return model


def _same(one: LanguagePair, other: LanguagePair) -> bool:
    return tags.fits(one.source, other.source) and tags.fits(one.target, other.target)
