"""The loss between two runs on the same samples, with an interval that holds its level for few flips and few clusters.

The share that regressed and the share that was fixed each get a Clopper–Pearson interval; MOVER (Zou and Donner 2008)
joins them to the interval of their difference. For independent samples its error rate on either side stays within
the nominal one from 10 samples on; docs/statistics.md has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mtprobe.statistics.intervals import Floats, Mask, newcombe, z_of
from mtprobe.statistics.measure import Measure


class PairedCounts(NamedTuple):
    """Samples by whether they were correct before and after."""

    both: int  # correct before and after
    broken: int  # correct before only
    mended: int  # correct after only
    neither: int

    @property
    def n(self) -> int:
        return sum(self)

    @property
    def difference(self) -> float:
        """Accuracy before minus accuracy after: the loss."""
        return (self.broken - self.mended) / self.n


def counts_of(before: Mask, after: Mask) -> PairedCounts:
    """From two masks of the correct samples."""
    return PairedCounts(
        int((before & after).sum()),
        int((before & ~after).sum()),
        int((~before & after).sum()),
        int((~before & ~after).sum()),
    )


def clopper_pearson(successes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """The exact interval of a proportion; also for effective counts, which are not whole numbers."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = betaincinv(successes, n - successes + 1, tail) if successes > 0 else 0.0
    high = betaincinv(successes + 1, n - successes, 1 - tail) if successes < n else 1.0
    return float(low), float(high)


def paired_interval(table: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """The interval of the loss for independent samples, from counts in the order of `PairedCounts`.

    It is never wider than the unpaired interval, unless the two runs agree less often than independent ones would.
    """
    both, regressed, fixed, neither = table
    n = sum(table)
    broken, mended = regressed / n, fixed / n
    (low1, high1), (low2, high2) = (clopper_pearson(count, n, level) for count in (regressed, fixed))
    # A sample that regressed was not fixed: the two shares are negatively correlated.
    others = (1 - broken) * (1 - mended)
    correlation = -math.sqrt(broken * mended / others) if others > 0 else 0.0

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a - 2 * correlation * a * b + b * b))

    low = max(-1.0, broken - mended - reach(broken - low1, high2 - mended))
    high = min(1.0, broken - mended + reach(high1 - broken, mended - low2))
    if both * neither < regressed * fixed:
        return low, high
    least, most = newcombe((both + regressed, n), (both + fixed, n), level)
    return max(low, least), min(high, most)


@dataclass(frozen=True, slots=True)
class Loss:
    """Accuracy before minus accuracy after, over the same samples."""

    counts: PairedCounts
    effective_n: float  # the number of independent samples that are as informative

    def interval(self, level: float = 0.95, n: float | None = None) -> tuple[float, float]:
        """Of these samples, or of `n` samples with the same shares of flips."""
        share = self.effective_n / self.counts.n * (1 if n is None else n / self.counts.n)
        return paired_interval([count * share for count in self.counts], level)

    def measure(self, level: float = 0.95) -> Measure:
        return Measure(self.counts.difference, *self.interval(level), self.counts.n)


def loss_of(before: Mask, after: Mask, clusters: Sequence[str], level: float = 0.95) -> Loss:
    """From two masks of the correct samples, with at least one sample, and the cluster of each."""
    counts = counts_of(before, after)
    _, numbers = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    sizes = np.bincount(numbers).astype(np.float64)
    if len(sizes) == counts.n:
        return Loss(counts, counts.n)
    losses = np.bincount(numbers, weights=before * 1.0 - after * 1.0).astype(np.float64)
    flipped = np.bincount(numbers, weights=before ^ after) > 0
    return Loss(counts, _effective_n(counts, sizes, losses, flipped, level))


def _effective_n(counts: PairedCounts, sizes: Floats, losses: Floats, flipped: Mask, level: float) -> float:
    """How many independent samples are as informative about the loss as these clusters.

    As in Korn and Graubard (1998), n is divided by the design effect and by the square of t / z. The degrees of
    freedom come from the clusters that contain a flip: only these show how far flips go together. If they are few,
    each cluster counts as one sample, as though its samples could only flip together.
    """
    from scipy.special import stdtrit

    n = counts.n
    clusters = n * n / float((sizes**2).sum())  # fewer than there are if their sizes differ
    weights = sizes[flipped] ** 2
    freedom = float(weights.sum() ** 2 / (weights**2).sum()) - 1 if len(weights) else 0.0
    if freedom <= 0:
        return clusters
    residuals = losses - counts.difference * sizes
    clustered = float((residuals**2 / (1 - sizes / n)).sum()) / n
    independent = (counts.broken + counts.mended) / n - counts.difference**2
    informative = n * min(1.0, independent / clustered) if clustered > 0 else n
    penalty = (z_of(level) / float(stdtrit(freedom, 0.5 + level / 2))) ** 2
    return max(informative * penalty, min(clusters, informative))
