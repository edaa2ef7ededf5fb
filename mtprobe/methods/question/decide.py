"""Combines the answers in all orders into a verdict.

Each order gives every reading a log-probability. The score of a reading is their mean: what a judge prefers because of
its place is in it once for each place, and cancels out. A reading is chosen only if it is the best in every order. With two
readings that is the rule that the margin has to be larger than the effect of the position: if the judge's log-odds are
a + b with a reading first and a − b with it last, both are positive exactly if a > |b|.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mtprobe.errors import Failure
from mtprobe.methods.question.answers import Answer
from mtprobe.methods.question.readings import Reading
from mtprobe.methods.question.repeats import DIVIDED, REPEATS, SAME, LogProbs, Repeated, Unreadable, best
from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.suite.labels import CORRECT, INCORRECT, UNCLEAR
from mtprobe.suite.sample import Scalar

FIRST, LAST = "p if first", "p if last"  # attributes of evidence: by the place of the reading
UNREADABLE = "an answer does not name exactly one choice"
DEPENDS = "the answer depends on the order of the choices"
TIED = "the judge prefers none of the choices"


def verdict_on(readings: Sequence[Reading], answers: Sequence[Answer]) -> Verdict:
    """`answers` has one for each of `orders(readings)`."""
    for answer in answers:
        if isinstance(answer, Failure):
            return Verdict(Outcome.ERROR, f"the judge could not answer: {answer.reason}")
    repeats = [answer for answer in answers if isinstance(answer, Repeated)]
    unreadable = [
        named
        for answer in answers
        if (named := answer if isinstance(answer, Unreadable) else _no_choice(answer))
    ]
    if unreadable:
        evidence = tuple(
            Evidence(reading.side, reading.text, attributes=_stability(repeats)) for reading in readings
        )
        return Verdict(
            Outcome.UNDECIDED, f"{UNREADABLE}: {unreadable[0]}", evidence=evidence if repeats else ()
        )
    by_place = [shares for answer in answers if (shares := _shares(answer, len(readings))) is not None]
    in_words = any(
        isinstance(answer, int) or (isinstance(answer, Repeated) and answer.in_words) for answer in answers
    )
    by_order = [_by_reading(order, start) for start, order in enumerate(by_place)]
    asked = _Asked(readings, by_order, in_words, tuple(repeats))
    evidence = asked.evidence()
    preferred = {best(order) for order in by_order}
    chosen = next(iter(preferred)) if len(preferred) == 1 else None
    if chosen is not None:
        return _decided(readings, chosen, evidence, asked.probabilities(evidence))
    divided = DIVIDED if repeats else TIED if preferred == {None} else DEPENDS
    return Verdict(
        Outcome.UNDECIDED,
        divided if None in preferred else DEPENDS,
        evidence=evidence,
        margin=_margin(evidence),
        probability=asked.probabilities(evidence).get(CORRECT),
    )


def _shares(answer: Answer, count: int) -> LogProbs | None:
    """Shares by position; a single named choice has all of the probability."""
    if isinstance(answer, int):
        return tuple(0.0 if other == answer else -math.inf for other in range(count))
    if isinstance(answer, Repeated):
        return answer.shares
    return answer if isinstance(answer, tuple) else None


def _no_choice(answer: Answer) -> Unreadable | None:
    return answer.unreadable if isinstance(answer, Repeated) else None


def _stability(repeats: Sequence[Repeated]) -> dict[str, Scalar]:
    if not repeats:
        return {}
    least = min(answer.same for answer in repeats)
    return {
        REPEATS: max(answer.count for answer in repeats),
        SAME: min(round(least, 3), 0.999) if least < 1 else 1.0,
    }


def _decided(
    readings: Sequence[Reading], place: int, evidence: tuple[Evidence, ...], shares: Mapping[str, float]
) -> Verdict:
    reading = readings[place]
    if reading.side == UNCLEAR:
        return Verdict(Outcome.UNDECIDED, f"the judge answers: {reading.text}", evidence=evidence)
    if reading.side in (CORRECT, INCORRECT):
        return Verdict(
            Outcome.CORRECT if reading.side == CORRECT else Outcome.INCORRECT,
            evidence=evidence,
            margin=_margin(evidence),
            probability=shares.get(CORRECT),
            reading=reading.name,
        )
    return Verdict(Outcome.OPEN, evidence=evidence, choice=reading.side, probability=shares.get(reading.side))


class _Asked(NamedTuple):
    readings: Sequence[Reading]
    by_order: Sequence[LogProbs]  # by reading; in order number i, reading i is first
    in_words: bool
    repeats: tuple[Repeated, ...] = ()

    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(self._item(place, reading) for place, reading in enumerate(self.readings))

    def _item(self, place: int, reading: Reading) -> Evidence:
        count = len(self.readings)
        values = [order[place] for order in self.by_order]
        first, last = values[place], values[(place + 1) % count]
        attributes: dict[str, Scalar] = {FIRST: round(math.exp(first), 3), LAST: round(math.exp(last), 3)}
        attributes |= _stability(self.repeats)
        item = Evidence(reading.side, reading.text, attributes=attributes)
        return item if self.in_words else replace(item, score=math.fsum(values) / count)

    def probabilities(self, evidence: Sequence[Evidence]) -> Mapping[str, float]:
        """The probability of each side. For answers in words, the mean share of its readings over the repeats."""
        if not self.in_words:
            return probabilities(evidence)
        if not self.repeats:
            return {}
        shares: dict[str, float] = {}
        for place, reading in enumerate(self.readings):
            named = math.fsum(math.exp(order[place]) for order in self.by_order)
            shares[reading.side] = shares.get(reading.side, 0.0) + named
        total = math.fsum(shares.values())
        return {side: share / total for side, share in shares.items()}


def _by_reading(by_place: LogProbs, start: int) -> LogProbs:
    """Order number i has reading i in the first position and reading i − 1 in the last."""
    count = len(by_place)
    return tuple(by_place[(reading - start) % count] for reading in range(count))


def _margin(evidence: Sequence[Evidence]) -> float | None:
    """The score of the right reading minus that of the best other one; between choices, the best minus the second."""
    right = [item.score for item in evidence if item.side == CORRECT and item.score is not None]
    scores = sorted((item.score for item in evidence if item.score is not None), reverse=True)
    if len(scores) < 2:
        return None
    if not right:
        return scores[0] - scores[1]
    others = [item.score for item in evidence if item.side != CORRECT and item.score is not None]
    return right[0] - max(others)


def probabilities(evidence: Sequence[Evidence]) -> Mapping[str, float]:
    """The share of each side in exp(score), over all readings; empty without scores."""
    scored = [(item.side, item.score) for item in evidence if item.score is not None]
    if not scored:
        return {}
    top = max(score for _, score in scored)
    weights = [(side, math.exp(score - top)) for side, score in scored]
    total = math.fsum(weight for _, weight in weights)
    shares: dict[str, float] = {}
    for side, weight in weights:
        shares[side] = shares.get(side, 0.0) + weight / total
    return shares
