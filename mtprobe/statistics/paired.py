"""The loss between two runs on the same samples, with an interval that is valid for few flips and few clusters.

The share that regressed and the share that was fixed each get a Clopper–Pearson interval; MOVER (Zou and Donner 2008)
joins them to the interval of their difference. For independent samples its error rate on either side stays within
the nominal one from 10 samples on; docs/explanation/statistics.md has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from mtprobe.statistics.estimates import Difference, Share
from mtprobe.statistics.intervals import Floats, Interval, Mask, exact, t_of, z_of

# Degrees of freedom that are added to those of the design effect, and say that clusters flip as a whole. Without them,
# a few flips that happen to be scattered would prove too much where clusters are large.
_PRIOR = 0.75


class PairedCounts(NamedTuple):
    """Samples by whether they were correct before and after; parts of a sample where it was both."""

    both: float  # correct before and after
    regressed: float  # correct before only
    fixed: float  # correct after only
    neither: float

    @property
    def n(self) -> float:
        return sum(self)

    @property
    def difference(self) -> float:
        """Accuracy before minus accuracy after: the loss."""
        return (self.regressed - self.fixed) / self.n


def counts_of(before: Floats | Mask, after: Floats | Mask) -> PairedCounts:
    """From how far each sample was correct, 0 to 1.

    A sample that was correct in some of its repeats counts for every pair of them: with 4 of 5 before and 1 of 2 after,
    it is 0.4 of a sample that regressed.
    """
    was, now = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    cells = (was * now, was * (1 - now), (1 - was) * now, (1 - was) * (1 - now))
    return PairedCounts(*(float(cell.sum()) for cell in cells))


def paired_interval(table: Sequence[float], level: float = 0.95) -> Interval:
    """The interval of the loss for independent samples, from counts in the order of `PairedCounts`.

    It is never wider than the unpaired interval, unless the two runs agree less often than independent ones would.
    """
    both, regressed, fixed, neither = table
    n = sum(table)
    lost, gained = regressed / n, fixed / n
    (low1, high1), (low2, high2) = (exact(count, n, level) for count in (regressed, fixed))
    # A sample that regressed was not fixed: the two shares are negatively correlated.
    others = (1 - lost) * (1 - gained)
    correlation = -math.sqrt(lost * gained / others) if others > 0 else 0.0

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a - 2 * correlation * a * b + b * b))

    low = max(-1.0, lost - gained - reach(lost - low1, high2 - gained))
    high = min(1.0, lost - gained + reach(high1 - lost, gained - low2))
    if both * neither < regressed * fixed:
        return low, high
    before, after = (Share(correct / n, n, n) for correct in (both + regressed, both + fixed))
    least, most = Difference(before, after).interval(level)
    return max(low, least), min(high, most)


@dataclass(frozen=True, slots=True)
class Loss:
    """Accuracy before minus accuracy after, over the same samples, and how much evidence there is for it."""

    counts: PairedCounts
    clusters: float  # as many clusters of equal size; each sample is its own where samples are independent
    effect: float = 1.0  # the variance, compared with that of independent samples: the design effect
    freedom: float = math.inf  # degrees of freedom of `effect`; 0 if the clusters say nothing about it
    times: float = 1.0  # as many samples, and clusters, as were counted

    @property
    def value(self) -> float:
        return self.counts.difference

    def interval(self, level: float = 0.95) -> Interval:
        share = self.times * self.effective_n(level) / self.counts.n
        return paired_interval([count * share for count in self.counts], level)

    def grown(self, times: float) -> Loss:
        """The same shares of flips in so many times as many clusters."""
        return replace(self, times=self.times * times)

    def effective_n(self, level: float = 0.95) -> float:
        """How many independent samples are as informative, of those that were counted.

        As in Korn and Graubard (1998), n is divided by the design effect and by the square of t / z. If the degrees
        of freedom are few, each cluster counts as one sample, as though its samples could only flip together.
        """
        if math.isinf(self.freedom):
            return self.counts.n
        n, freedom = self.counts.n, self.freedom * self.times
        if freedom <= 0:
            return self.clusters
        alike = n / self.clusters  # the design effect of clusters that flip as a whole
        effect = (freedom * self.effect + _PRIOR * alike) / (freedom + _PRIOR)
        widening = t_of(level, freedom) / z_of(level)
        return max(n / effect / widening**2, min(self.clusters, n / self.effect))


def loss_of(before: Floats | Mask, after: Floats | Mask, clusters: Sequence[str]) -> Loss:
    """From how far each sample was correct, 0 to 1, with at least one sample, and the cluster of each."""
    counts = counts_of(before, after)
    was, now = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    _, numbers = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    sizes = np.bincount(numbers).astype(np.float64)
    if len(sizes) == len(was):
        return Loss(counts, counts.n)
    losses = np.bincount(numbers, weights=was - now).astype(np.float64)
    flipped = np.bincount(numbers, weights=was * (1 - now) + (1 - was) * now) > 0
    equal = counts.n**2 / float((sizes**2).sum())
    return Loss(counts, equal, _design_effect(counts, sizes, losses), _freedom(sizes[flipped]))


def _design_effect(counts: PairedCounts, sizes: Floats, losses: Floats) -> float:
    """At least 1, because it is never certain that flips repel each other."""
    independent = (counts.regressed + counts.fixed) / counts.n - counts.difference**2
    if len(sizes) < 2 or independent <= 0:
        return 1.0
    residuals = losses - counts.difference * sizes
    clustered = float((residuals**2 / (1 - sizes / counts.n)).sum()) / counts.n
    return max(1.0, clustered / independent)


def _freedom(sizes: Floats) -> float:
    """From the clusters that contain a flip: only these show how far flips go together. Large ones show most of it."""
    weights = sizes**2
    return float(weights.sum() ** 2 / (weights**2).sum()) - 1 if len(weights) else 0.0
