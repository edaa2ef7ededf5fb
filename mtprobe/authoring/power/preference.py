"""Errors of a model that only scores: it prefers the wrong target, or one kind of target regardless of the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mtprobe.gates import Gate
from mtprobe.methods import Outcome
from mtprobe.methods.scored import side_scores
from mtprobe.methods.verdict import Evidence, Result

NAME = "preference"
_SIDES = ("correct", "incorrect")


def exchanged(result: Result) -> Result | None:
    """The same scores, exchanged between the right side and the wrong one; None where they are not known or equal."""
    best = side_scores(result.verdict.evidence, "best")
    if not {*_SIDES} <= best.keys() or best["correct"] == best["incorrect"]:
        return None
    lead = best["correct"] - best["incorrect"]
    shift = {"correct": -lead, "incorrect": lead}
    return _decided(
        result,
        [
            replace(item, score=item.score + shift[item.side], tokens=(), by_evaluator=())
            if item.score is not None and item.side in shift
            else item
            for item in result.verdict.evidence
        ],
    )


def preferring_wrong(result: Result) -> Result | None:
    return exchanged(result) if result.verdict.outcome is Outcome.CORRECT else None


def preferring_right(result: Result) -> Result | None:
    """The repair of a wrong verdict."""
    return exchanged(result) if result.verdict.outcome is Outcome.INCORRECT else None


def kinds_of_target(rows: Sequence[Result], gates: Sequence[Gate]) -> Iterator[tuple[str, str]]:
    """The attributes of targets that a gate is about, with each of their values."""
    for attribute in dict.fromkeys(gate.selector.over for gate in gates if gate.selector.over):
        values = {
            str(item.attributes[attribute])
            for row in rows
            for item in row.verdict.evidence
            if item.side in _SIDES and attribute in item.attributes
        }
        for value in sorted(values):
            yield attribute, value


def preferring(result: Result, attribute: str, value: str) -> Result | None:
    """The target with this attribute gets the best score, and the best one its score; None if it has that already."""
    scored = [item for item in result.verdict.evidence if item.side in _SIDES and item.score is not None]
    wanted = [item for item in scored if str(item.attributes.get(attribute)) == value]
    if not wanted or result.verdict.outcome not in (Outcome.CORRECT, Outcome.INCORRECT):
        return None
    best, favourite = (max(items, key=lambda item: item.score or 0.0) for items in (scored, wanted))
    if best is favourite or best.score == favourite.score:
        return None
    scores = {id(best): favourite.score, id(favourite): best.score}
    return _decided(
        result,
        [
            replace(item, score=scores[id(item)], tokens=(), by_evaluator=()) if id(item) in scores else item
            for item in result.verdict.evidence
        ],
    )


def _decided(result: Result, evidence: Sequence[Evidence]) -> Result:
    """The verdict on other scores of the same targets."""
    best = side_scores(evidence, "best")
    margin = best["correct"] - best["incorrect"]
    before = result.verdict
    outcome = Outcome.CORRECT if margin > 0 else Outcome.INCORRECT
    same = outcome is before.outcome
    probability = before.probability if same or before.probability is None else 1 - before.probability
    verdict = replace(
        before,
        outcome=outcome,
        probability=probability,
        margin=None if before.margin is None else margin,
        evidence=tuple(evidence),
    )
    return replace(result, verdict=verdict)
