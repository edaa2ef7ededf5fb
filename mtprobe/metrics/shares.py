"""The share of samples with a given outcome: undecided, degenerate, decided, wrong."""

from __future__ import annotations

import numpy as np

from mtprobe.methods.verdict import Outcome
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Selector
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask, cluster_ratio, wilson
from mtprobe.statistics.measure import Measure


class _Undecided(Metric):
    name = "undecided"
    about = "the share of samples without a decision"
    rests_on_verdicts = False
    higher_is_better = False
    blamed = (Outcome.UNDECIDED,)

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        tally = context.tally
        return share(tally, np.isin(tally.outcomes, self.blamed), selector.mask(tally), level)


class _Degenerate(_Undecided):
    name = "degenerate"
    about = "the share of outputs that are not translations"
    blamed = (Outcome.DEGENERATE,)


class _Coverage(Metric):
    name = "coverage"
    about = "the share of samples with a decision"
    rests_on_verdicts = False
    blamed = (Outcome.UNDECIDED,)

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        """An open sample is decided by its choice."""
        tally = context.tally
        return share(tally, tally.outcomes != Outcome.UNDECIDED, selector.mask(tally), level)


class _FalsePositives(Metric):
    name = "false_positives"
    about = "wrong / decided: in a suite of controls, the rate of false alarms"
    higher_is_better = False

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        tally = context.tally
        return share(tally, ~tally.correct, selector.mask(tally) & tally.decided, level)


def share(tally: Tally, counted: Mask, mask: Mask, level: float = 0.95) -> Measure:
    """The share of `counted` among the masked samples.

    The interval is Wilson's where no two samples share a cluster; otherwise clusters are resampled.
    """
    n, hits = int(mask.sum()), int((mask & counted).sum())
    if not n:
        return Measure.nothing()
    if len(np.unique(tally.clusters[mask])) == n:
        return Measure(hits / n, *wilson(hits, n, level), n)
    return Measure(hits / n, *cluster_ratio(*tally.ratio(counted, mask), tally.seed, level), n)


UNDECIDED = _Undecided()
DEGENERATE = _Degenerate()
COVERAGE = _Coverage()
FALSE_POSITIVES = _FalsePositives()
