"""Distributional discrepancy: how much more probable a model's own translations are than the given targets.

The mean over samples of score(own translation) − the best score among the given targets, in nats per token
(Vamvas and Sennrich, 2021). If it is high, the model would not write such targets, and its accuracy on
them says little about its behaviour. Clipped, as in the published code: each difference is at least 0.
"""

from __future__ import annotations

import math

import numpy as np

from mtprobe.methods.verdict import TRANSLATION, Result
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Selector
from mtprobe.statistics.clustered import mean
from mtprobe.statistics.measure import Estimated


class _Discrepancy(Metric):
    name = "discrepancy"
    about = "the mean difference in log-probability between the model's own translations and the targets, in nats per token"
    is_share = False
    higher_is_better = False
    counts_degenerate = False
    needs_translations = True
    clip = False

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        tally = context.tally
        differences = [difference(result) for result in tally.results]
        inside = selector.mask(tally) & np.array([value is not None for value in differences], dtype=bool)
        if not inside.any():
            return Estimated.nothing("no sample with scores of targets and of the model's own translation")
        values = np.array([0.0 if value is None else value for value in differences])
        if self.clip:
            values = values.clip(min=0.0)
        ratio = tally.ratio(values, inside)
        return Estimated(mean(ratio, 0.0 if self.clip else -math.inf), tally.count(inside))


class _DiscrepancyClipped(_Discrepancy):
    name = "discrepancy_clipped"
    about = "discrepancy with negative differences counted as 0"
    clip = True


def difference(result: Result, against: str | None = None) -> float | None:
    """For one sample, against the given texts of one side or of all; None if a score is missing."""
    scored = [(item.side, item.score) for item in result.verdict.evidence if item.score is not None]
    own = [score for side, score in scored if side == TRANSLATION]
    given = [score for side, score in scored if side != TRANSLATION and against in (None, side)]
    return own[0] - max(given) if own and given else None


DISCREPANCY = _Discrepancy()
DISCREPANCY_CLIPPED = _DiscrepancyClipped()
