"""The order in which samples are worth reading: the most confident errors first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.statistics.ranks import average_ranks

WORST_FIRST = (
    Outcome.INCORRECT,
    Outcome.DEGENERATE,
    Outcome.ERROR,
    Outcome.UNDECIDED,
    Outcome.OPEN,
    Outcome.CORRECT,
)
PLACE = {outcome: place for place, outcome in enumerate(WORST_FIRST)}
SUREST = 1000


def wrongness(result: Result) -> tuple[int, float, str]:
    """Sorts confident mistakes and choices to the front, confident correct samples to the end."""
    certainty = confidence(result) or 0.0
    outcome = result.verdict.outcome
    return PLACE[outcome], certainty if outcome is Outcome.CORRECT else -certainty, result.id


def confidence(result: Result) -> float | None:
    """The distance from undecided: comparable only among samples judged by the same method."""
    verdict = result.verdict
    if verdict.probability is not None:
        return abs(verdict.probability - 0.5)
    return None if verdict.margin is None else abs(verdict.margin)


def ranked(confidences: Sequence[float | None]) -> list[int | None]:
    """Each confidence's rank, 0 to 1000; equal ones share the middle of their ranks."""
    numbers = [value for value in confidences if value is not None]
    if not numbers:
        return [None] * len(confidences)
    middles = (average_ranks(np.array(numbers)) - 0.5) / len(numbers)
    ranks = iter(np.round(middles * SUREST).astype(int).tolist())
    return [None if value is None else next(ranks) for value in confidences]
