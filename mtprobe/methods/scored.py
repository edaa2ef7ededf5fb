"""What methods that compare scores have in common: they ask for some of each sample, then judge it on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mtprobe.backends.scorer import ScorePair, ScorePlace, mean
from mtprobe.errors import Failure
from mtprobe.methods.method import Ask
from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.suite.sample import Scalar


@dataclass(frozen=True, slots=True)
class Query:
    """A score that a method asks for, and the reading that a good score would speak for."""

    side: str  # "correct" or "incorrect", or a choice of an open sample
    pair: ScorePair
    text: str  # what the score tells of: a contrastive source, a target
    offset: float = 0.0  # taken off the score, when the evaluator is calibrated
    attributes: Mapping[str, Scalar] = field(default_factory=dict)
    place: ScorePlace | None = None


def judged_on_scores(
    queries: Sequence[Sequence[Query]], judge: Callable[[tuple[Evidence, ...]], Verdict], ask: Ask
) -> list[Verdict]:
    """A verdict for each sample's queries; where a score cannot be had it is an error."""
    before = ask.made_before
    scores = ask.scores([query.pair for asked in queries for query in asked]) if before is None else {}

    def score(query: Query) -> float | Failure:
        if before is not None and query.place is not None:
            return before.get(query.place, Failure("the file has no score of it"))
        found = scores[query.pair]
        return found if isinstance(found, Failure) else mean(found)

    def verdict(asked: Sequence[Query]) -> Verdict:
        evidence = []
        for query in asked:
            found = score(query)
            if isinstance(found, Failure):
                return Verdict(Outcome.ERROR, f"could not be scored: {found.reason}")
            evidence.append(Evidence(query.side, query.text, found, query.offset, dict(query.attributes)))
        return judge(tuple(evidence))

    return [verdict(asked) for asked in queries]


def best_scores(evidence: Sequence[Evidence]) -> dict[str, float]:
    """The best score of each side, offsets taken off."""
    best: dict[str, float] = {}
    for one in evidence:
        if one.score is not None:
            score = one.score - one.offset
            best[one.side] = max(score, best.get(one.side, score))
    return best
