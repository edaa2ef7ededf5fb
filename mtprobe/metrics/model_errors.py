"""Model error or search error (DiBiMT): does the model score its wrong translation above every known good one?

If so it is the model that errs; if not, a good translation had the better score and the search did not find it.
"""

from __future__ import annotations

import numpy as np

from mtprobe.methods.verdict import REFERENCE, TRANSLATION, Outcome, Result
from mtprobe.metrics.shares import share
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask
from mtprobe.statistics.measure import Measure


def model_errors(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """The share of wrong translations, among those scored beside good ones, that the model likes better."""
    lead = [preference(result) for result in tally.results]
    scored = np.array([one is not None for one in lead], dtype=bool)
    preferred = np.array([one is not None and one > 0 for one in lead], dtype=bool)
    found = share(tally, preferred, mask & scored, level)
    if found.value is None:
        return Measure.nothing("no wrong translation that the model scored beside a good one")
    return found


def preference(result: Result) -> float | None:
    """By how much a wrong translation's score exceeds that of the best good one, in nats a token."""
    if result.verdict.outcome is not Outcome.INCORRECT:
        return None
    scores: dict[str, list[float]] = {TRANSLATION: [], REFERENCE: []}
    for one in result.verdict.evidence:
        if one.side in scores and one.score is not None:
            scores[one.side].append(one.score)
    own, good = scores[TRANSLATION], scores[REFERENCE]
    return own[0] - max(good) if own and good else None
