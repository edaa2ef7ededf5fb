"""Accuracy: the share of correct translations among the decided ones, plain or weighted by confidence."""

from __future__ import annotations

import numpy as np

from mtprobe.metrics.metric import Context, Metric
from mtprobe.metrics.selectors import Selector
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask, cluster_ratio, wilson
from mtprobe.statistics.measure import Measure


def accuracy(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Correct / decided. A degenerate output counts as decided and incorrect."""
    inside = mask & tally.decided
    n, correct = int(inside.sum()), int((inside & tally.correct).sum())
    if not n:
        return Measure.nothing()
    if tally.independent:
        return Measure(correct / n, *wilson(correct, n, level), n)
    interval = cluster_ratio(
        tally.by_cluster(tally.correct.astype(np.float64), inside),
        tally.by_cluster(np.ones(tally.n), inside),
        tally.seed,
        level,
    )
    return Measure(correct / n, *interval, n)


def weighted_accuracy(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Σ weight of the correct / Σ weight, with weights ranked within each category.

    Resampling keeps the weights of the full set.
    """
    inside = mask & tally.decided
    n = int(inside.sum())
    if not n:
        return Measure.nothing()
    weights = tally.weights
    value = float(weights[inside & tally.correct].sum() / weights[inside].sum())
    interval = cluster_ratio(
        tally.by_cluster(weights * tally.correct, inside),
        tally.by_cluster(weights, inside),
        tally.seed,
        level,
    )
    return Measure(value, *interval, n)


class _Accuracy(Metric):
    name = "accuracy"
    about = "correct / decided"
    counts_open = False

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        return accuracy(context.tally, selector.mask(context.tally), level)


class _WeightedAccuracy(_Accuracy):
    name = "weighted_accuracy"
    about = "accuracy weighted by the evaluator's confidence"

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        return weighted_accuracy(context.tally, selector.mask(context.tally), level)


ACCURACY = _Accuracy()
WEIGHTED_ACCURACY = _WeightedAccuracy()
