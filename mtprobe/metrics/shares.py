"""The share of samples with a given outcome: undecided, degenerate, decided, wrong."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from mtprobe.methods.verdict import Outcome
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Selector
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.clustered import Ratio
from mtprobe.statistics.intervals import Mask
from mtprobe.statistics.measure import Estimated, Measure


class ShareMetric(Metric):
    """The share of some samples among others."""

    sequential = True

    @abstractmethod
    def counted(self, context: MetricContext, selector: Selector) -> tuple[Mask, Mask]:
        """The samples that are counted, and those among which they are."""

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        return estimated_share(context.tally, *self.counted(context, selector))

    def ratios(self, context: MetricContext, selector: Selector) -> dict[str, Ratio]:
        return {"": context.tally.ratio(*self.counted(context, selector))}


class _Undecided(ShareMetric):
    name = "undecided"
    about = "the share of samples without a decision"
    rests_on_verdicts = False
    higher_is_better = False
    of_controls = None
    blamed = (Outcome.UNDECIDED,)

    def counted(self, context: MetricContext, selector: Selector) -> tuple[Mask, Mask]:
        tally = context.tally
        return np.isin(tally.outcomes, self.blamed), selector.mask(tally)


class _Degenerate(_Undecided):
    name = "degenerate"
    about = "the share of outputs that are not translations"
    blamed = (Outcome.DEGENERATE,)


class _Coverage(ShareMetric):
    name = "coverage"
    about = "the share of samples with a decision"
    rests_on_verdicts = False
    of_controls = None
    blamed = (Outcome.UNDECIDED,)

    def counted(self, context: MetricContext, selector: Selector) -> tuple[Mask, Mask]:
        """An open sample is decided by its choice."""
        tally = context.tally
        return tally.outcomes != Outcome.UNDECIDED, selector.mask(tally)


class _FalsePositives(ShareMetric):
    name = "false_positives"
    about = "wrong / decided: the false positive rate of a suite of controls"
    higher_is_better = False

    def counted(self, context: MetricContext, selector: Selector) -> tuple[Mask, Mask]:
        tally = context.tally
        return ~tally.correct, selector.mask(tally) & tally.decided


def share(tally: Tally, counted: Mask, mask: Mask, level: float = 0.95) -> Measure:
    """The share of `counted` among the masked samples, with its interval."""
    return estimated_share(tally, counted, mask).at(level)


def estimated_share(tally: Tally, counted: Mask, mask: Mask) -> Estimated:
    """The same at any level."""
    n = tally.count(mask)
    return Estimated(tally.ratio(counted, mask).share, n) if n else Estimated.nothing()


UNDECIDED = _Undecided()
DEGENERATE = _Degenerate()
COVERAGE = _Coverage()
FALSE_POSITIVES = _FalsePositives()
