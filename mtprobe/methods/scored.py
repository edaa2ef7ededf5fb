"""The base of methods that compare scores: they request the scores of each sample, then judge the sample by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from mtprobe.backends.scorer import ScorePair, ScorePlace, TokenLogProbs, mean, means, sums
from mtprobe.errors import Failure
from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import Scalar

if TYPE_CHECKING:
    from mtprobe.methods.conditioning.focus_tokens import FocusTokens
    from mtprobe.methods.method import Ask


Pooling: TypeAlias = Literal["best", "mean"]  # how several scores of one side become one


class TieKeys(MethodKeys):
    """The keys of methods that compare scores."""

    ties: Literal["correct", "incorrect"] | None = None
    """How two equal scores are judged; by default as in the method's paper. If more than 5 % of a suite's verdicts are ties, its gates are undecided in any case."""


@dataclass(frozen=True, slots=True)
class Query:
    """A score that a method asks for, and the reading that a good score would support."""

    side: str  # "correct" or "incorrect", or a choice of an open sample
    pair: ScorePair
    text: str  # the evidence: a contrastive source, or a target
    offset: float = 0.0  # subtracted from the score where the evaluator is calibrated
    attributes: Mapping[str, Scalar] = field(default_factory=dict)
    place: ScorePlace | None = None
    compared: FocusTokens | None = None  # None: the whole target
    summed: bool = False  # the score is the sum of the tokens', not their mean


def judge_on_scores(
    queries: Sequence[Sequence[Query]], judge: Callable[[tuple[Evidence, ...]], Verdict], ask: Ask
) -> list[Verdict]:
    """One verdict for each sample's queries; a score that is missing makes it an error."""
    return [
        Verdict(Outcome.ERROR, f"could not be scored: {evidence.reason}")
        if isinstance(evidence, Failure)
        else judge(evidence)
        for evidence in scored_evidence(queries, ask)
    ]


def scored_evidence(queries: Sequence[Sequence[Query]], ask: Ask) -> list[tuple[Evidence, ...] | Failure]:
    """Each sample's queries with their scores; a failure where one is missing."""
    given = ask.scores_by_place
    scores = ask.scores([query.pair for sample in queries for query in sample]) if given is None else {}

    def scores_of(query: Query) -> tuple[float, ...] | Failure:
        """The score, or that of each evaluator."""
        if given is not None and query.place is not None:
            value = given.get(query.place)
            return Failure("the file has no score for it") if value is None else (value,)
        logprobs = scores[query.pair]
        if isinstance(logprobs, Failure):
            return logprobs
        if query.summed:
            return sums(logprobs)
        tokens = query.compared.tokens if query.compared else ()
        if tokens and len(logprobs) <= max(tokens):
            return Failure(
                f"there are {len(logprobs)} scores, fewer than tokens that were placed in the text"
            )
        return means(logprobs, tokens)

    def evidence_of(sample: Sequence[Query]) -> tuple[Evidence, ...] | Failure:
        evidence = []
        for query in sample:
            values = scores_of(query)
            if isinstance(values, Failure):
                return values
            score = values[0] if len(values) == 1 else math.fsum(values) / len(values)
            each = values if len(values) > 1 else ()
            attributes = dict(query.attributes)
            evidence.append(
                Evidence(query.side, query.text, score, query.offset, attributes, by_evaluator=each)
            )
        return tuple(evidence)

    return [evidence_of(sample) for sample in queries]


def side_scores(evidence: Sequence[Evidence], pooling: Pooling = "best") -> dict[str, float]:
    """One score for each side, with offsets subtracted."""
    sides: dict[str, list[float]] = {}
    for item in evidence:
        if item.score is not None:
            sides.setdefault(item.side, []).append(item.score - item.offset)
    return {side: pooled(scores, pooling) for side, scores in sides.items()}


def pooled(scores: Sequence[float], pooling: Pooling) -> float:
    """Several log-probabilities as one: the best, or the log of the mean probability."""
    best = max(scores)
    if pooling == "best" or math.isinf(best):
        return best
    return best + math.log(math.fsum(math.exp(score - best) for score in scores) / len(scores))


def difference(
    right: Sequence[TokenLogProbs],
    wrong: Sequence[TokenLogProbs],
    tokens: Sequence[int] = (),
    pooling: Pooling = "best",
) -> float:
    """The score of the right side minus that of the wrong side, on some tokens or on all."""
    first, second = (pooled([mean(one, tokens) for one in side], pooling) for side in (right, wrong))
    return first - second
