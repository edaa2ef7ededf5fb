"""Mean group error: the error rate for each value of an attribute, averaged over the values regardless of their sizes.

Over sense ranks it is DiBiMT's SFII (sense frequency index influence), over the number of senses per word its SPDI
(sense polysemy degree importance): rare senses and highly polysemous words count as much as common ones.
"""

from __future__ import annotations

import math

import numpy as np

from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, check_attribute
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import (
    MANY_CLUSTERS,
    Floats,
    Mask,
    resampled_counts,
    resampled_interval,
    z_of,
)
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Suite

RANK, DEGREE = "sense_rank", "polysemy"


def group_error(tally: Tally, attribute: str, mask: Mask, level: float = 0.95) -> Measure:
    """Over decided samples that have the attribute; the interval is over resampled clusters."""
    groups = {
        name: inside
        for name, samples in tally.values_of(attribute).items()
        if (inside := samples & mask & tally.decided).any()
    }
    if not groups:
        return Measure.nothing(f'no decided sample has the attribute "{attribute}"')
    columns = [tally.ratio(~tally.correct, inside) for inside in groups.values()]
    errors, counts = (np.stack(side, axis=1) for side in zip(*columns, strict=True))
    present = counts.sum(axis=1) > 0
    errors, counts = errors[present], counts[present]
    value = float((errors.sum(axis=0) / counts.sum(axis=0)).mean())
    n = int(counts.sum())
    return Measure(value, *_interval(errors, counts, value, tally.seed, level), n, f"{len(groups)} groups")


def _interval(errors: Floats, counts: Floats, value: float, seed: int, level: float) -> tuple[float, float]:
    """Both [clusters, groups]. A group that a resample lacks is excluded from its mean."""
    clusters = len(counts)
    if clusters > MANY_CLUSTERS:
        totals = counts.sum(axis=0)
        influence = ((errors - errors.sum(axis=0) / totals * counts) / totals).mean(axis=1)
        half = z_of(level) * math.sqrt(float((influence**2).sum()))
        return max(0.0, value - half), min(1.0, value + half)
    drawn = resampled_counts(clusters, seed)
    n = drawn @ counts
    rates = np.divide(drawn @ errors, n, out=np.full_like(n, np.nan), where=n > 0)
    return resampled_interval(np.nanmean(rates, axis=1), value, clusters, level)


class _GroupError(Metric):
    name = "group_error"
    about = (
        "the error rate for each value of an attribute, averaged over the values regardless of their sizes"
    )
    brackets = "an attribute"
    higher_is_better = False

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        return group_error(context.tally, selector.over or "", selector.mask(context.tally), level)

    def check(self, brackets: Brackets, suite: Suite) -> None:
        if brackets.text is None:
            raise SelectorError(f"{self.name} needs an attribute: {self.name}[pos]")
        check_attribute(brackets.text, suite)

    def select(self, brackets: Brackets) -> Selector:
        return Selector(over=brackets.text)


class SenseMetric(Metric):
    """Over an attribute that samples with `senses` have; others may set it themselves."""

    higher_is_better = False
    attribute = RANK

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        return group_error(context.tally, self.attribute, selector.mask(context.tally), level)

    def check(self, brackets: Brackets, suite: Suite) -> None:
        if self.attribute not in suite.attributes:
            raise SelectorError(
                f"{self.name} needs samples with `senses`, or with the attribute {self.attribute}"
            )
        super().check(brackets, suite)


class _Sfii(SenseMetric):
    name = "sfii"
    about = "group_error over the ranks of senses (DiBiMT: sense frequency index influence)"


class _Spdi(SenseMetric):
    name = "spdi"
    about = "group_error over the number of senses per word (DiBiMT: sense polysemy degree importance)"
    attribute = DEGREE


GROUP_ERROR = _GroupError()
SFII = _Sfii()
SPDI = _Spdi()
