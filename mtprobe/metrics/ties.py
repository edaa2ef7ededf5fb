"""Exact ties: verdicts on readings with equal scores, decided by the suite's rule for ties rather than the evaluator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from mtprobe.methods.verdict import REFERENCE, TRANSLATION, Evidence, Result

TOLERANCE = 1e-6  # nats per token: the rounding of 32-bit scores, far below any preference
_SHARE = 0.05  # of the verdicts
_AT_LEAST = 2  # ties, unless there is no other verdict


class Ties(NamedTuple):
    """How many verdicts are exact ties, of those on scores."""

    tied: int
    scored: int

    @property
    def too_many(self) -> bool:
        """More than 5 % of the verdicts and at least two, or all of them."""
        return self.tied > _SHARE * self.scored and (self.tied >= _AT_LEAST or self.tied == self.scored)

    def __str__(self) -> str:
        return self.among("")

    def among(self, group: str) -> str:
        """Ties as text; the group is that of a selector."""
        return f"{self.tied:,} of {self.scored:,} verdicts{f' on {group}' if group else ''} are exact ties"


def is_tie(result: Result) -> bool | None:
    """Whether the best scores of two readings are equal; None for a verdict that rests on no scores.

    With a calibrated evaluator, equal before or after its offset is subtracted.
    """
    sides: dict[str, list[Evidence]] = {}
    for item in result.verdict.evidence:
        if item.score is not None and item.side not in (TRANSLATION, REFERENCE):
            sides.setdefault(item.side, []).append(item)
    if len(sides) < 2:
        return None
    return _equal(sides, lambda item: item.score or 0.0) or _equal(
        sides, lambda item: (item.score or 0.0) - item.offset
    )


def count_ties(results: Iterable[Result]) -> Ties:
    ties = [tie for result in results if (tie := is_tie(result)) is not None]
    return Ties(sum(ties), len(ties))


def _equal(sides: dict[str, list[Evidence]], score: Callable[[Evidence], float]) -> bool:
    """Whether the best score is that of two sides."""
    *_, second, first = sorted(max(map(score, items)) for items in sides.values())
    return first - second <= TOLERANCE
