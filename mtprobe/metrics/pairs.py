"""Pair accuracy: the share of schemas in which every sample is correct (Wino-X). A schema is a cluster."""

from __future__ import annotations

import numpy as np

from mtprobe.metrics.metric import Context, Metric
from mtprobe.metrics.selectors import Selector
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask, wilson
from mtprobe.statistics.measure import Measure


def pair_accuracy(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Over clusters with two or more decided samples; schemas are independent of each other."""
    inside = mask & tally.decided
    decided = tally.by_cluster(np.ones(tally.n), inside)
    right = tally.by_cluster(tally.correct.astype(np.float64), inside)
    schemas = decided >= 2
    n, all_right = int(schemas.sum()), int((schemas & (right == decided)).sum())
    if not n:
        return Measure.nothing("no schema with two decided samples")
    return Measure(all_right / n, *wilson(all_right, n, level), n)


class _PairAccuracy(Metric):
    name = "pair_accuracy"
    about = "the share of clusters (schemas) in which every sample is correct"
    counts_open = False

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        return pair_accuracy(context.tally, selector.mask(context.tally), level)


PAIR_ACCURACY = _PairAccuracy()
