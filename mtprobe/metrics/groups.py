"""Mean group error: the error rate for each value of an attribute, averaged over values regardless of sample size.

Over sense ranks it is DiBiMT's SFII (sense frequency index influence), over the number of senses per word its SPDI
(sense polysemy degree importance): rare senses and highly polysemous words count as much as common ones.
"""

from __future__ import annotations

import numpy as np

from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, check_attribute
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.clustered import from_replicates, share
from mtprobe.statistics.estimates import Share
from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.statistics.measure import Estimated
from mtprobe.suite.sample import Suite

RANK, DEGREE = "sense_rank", "polysemy"


def group_error(tally: Tally, attribute: str, mask: Mask) -> Estimated:
    """Over decided samples that have the attribute."""
    groups = {
        name: inside
        for name, samples in tally.values_of(attribute).items()
        if (inside := samples & mask & tally.decided).any()
    }
    if not groups:
        return Estimated.nothing(f'no decided sample has the attribute "{attribute}"')
    ratios = [tally.ratio(~tally.correct, inside) for inside in groups.values()]
    errors = np.stack([ratio.numerators for ratio in ratios], axis=1)
    counts = np.stack([ratio.denominators for ratio in ratios], axis=1)
    present = counts.sum(axis=1) > 0
    n = tally.count(np.logical_or.reduce(list(groups.values())))
    number = "1 group" if len(groups) == 1 else f"{len(groups)} groups"
    return Estimated(_mean_rate(errors[present], counts[present]), n, number)


def _mean_rate(errors: Floats, counts: Floats) -> Share:
    """Both [clusters, groups]. A group that is only in one cluster is excluded from the mean without that cluster."""
    totals = counts.sum(axis=0)
    groups = len(totals)
    value = float((errors.sum(axis=0) / totals).mean())
    rest = totals - counts
    rates = np.divide(errors.sum(axis=0) - errors, rest, out=np.zeros_like(rest), where=rest > 0)
    present = (rest > 0).sum(axis=1)
    without_each = np.where(present > 0, rates.sum(axis=1) / np.maximum(present, 1), value)
    weights = (counts / totals).mean(axis=1)
    return share(value, from_replicates(value, without_each), weights, groups**2 / float((1 / totals).sum()))


class _GroupError(Metric):
    name = "group_error"
    about = (
        "the error rate per value of an attribute, averaged over the values regardless of their sample sizes"
    )
    brackets = "an attribute"
    higher_is_better = False

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        return group_error(context.tally, selector.over or "", selector.mask(context.tally))

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

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        return group_error(context.tally, self.attribute, selector.mask(context.tally))

    def check(self, brackets: Brackets, suite: Suite) -> None:
        if self.attribute not in suite.attributes:
            raise SelectorError(
                f"{self.name} needs samples with `senses`, or with the attribute {self.attribute}"
            )
        super().check(brackets, suite)


class _Sfii(SenseMetric):
    name = "sfii"
    about = "group_error over sense ranks (DiBiMT: sense frequency index influence)"


class _Spdi(SenseMetric):
    name = "spdi"
    about = "group_error over the number of senses per word (DiBiMT: sense polysemy degree importance)"
    attribute = DEGREE


GROUP_ERROR = _GroupError()
SFII = _Sfii()
SPDI = _Spdi()
