"""The order in which samples are worth looking at: the surest mistakes first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtprobe.methods.verdict import Outcome, Result

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
    """Sorts the surest mistakes and the surest choices to the front, and what is right and sure to the end."""
    sure = confidence(result) or 0.0
    outcome = result.verdict.outcome
    return PLACE[outcome], sure if outcome is Outcome.CORRECT else -sure, result.id


def confidence(result: Result) -> float | None:
    """How far from undecided: comparable only among samples that one method judged."""
    verdict = result.verdict
    if verdict.probability is not None:
        return abs(verdict.probability - 0.5)
    return None if verdict.margin is None else abs(verdict.margin)


def ranked(confidences: Sequence[float | None]) -> list[int | None]:
    """Each confidence's place among all of them, 0 to 1000; equal ones share the middle of theirs."""
    known = [one for one in confidences if one is not None]
    if not known:
        return [None] * len(confidences)
    _, inverse, counts = np.unique(known, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middles = np.round((ends - counts / 2) / len(known) * SUREST).astype(int)
    ranks = iter(middles[inverse].tolist())
    return [None if one is None else next(ranks) for one in confidences]
