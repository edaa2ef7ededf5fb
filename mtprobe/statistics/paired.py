"""Is one of two runs on the same samples really worse? Differences are paired by sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mtprobe.statistics.intervals import Mask, cluster_mean, wilson
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


def mcnemar(regressed: int, fixed: int) -> float:
    """The exact two-sided p of McNemar's test: were flips of both kinds equally likely?"""
    from scipy.special import bdtr

    flips = regressed + fixed
    return min(1.0, 2.0 * float(bdtr(min(regressed, fixed), flips, 0.5))) if flips else 1.0


def holm(values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number by Holm's method, in their order."""
    adjusted = [1.0] * len(values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=lambda index: values[index])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = highest
    return adjusted


def newcombe_paired(table: tuple[float, float, float, float], level: float = 0.95) -> tuple[float, float]:
    """The interval of the loss, for independent samples; Newcombe (1998), paired data, method 10.

    The table counts samples that were correct both times, regressed, fixed, and wrong both times.
    """
    both, regressed, fixed, _ = table
    n = sum(table)
    before, after = (both + regressed) / n, (both + fixed) / n
    (low1, high1), (low2, high2) = wilson(both + regressed, n, level), wilson(both + fixed, n, level)
    phi = _correlation(table)

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))

    difference = before - after
    low = difference - reach(before - low1, high2 - after)
    high = difference + reach(high1 - before, after - low2)
    return max(-1.0, low), min(1.0, high)


def _correlation(table: tuple[float, float, float, float]) -> float:
    """Between being correct before and after, with a continuity correction if positive."""
    a, b, c, d = table
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if not margins:
        return 0.0
    product = a * d - b * c
    if product > 0:
        product = max(product - sum(table) / 2, 0.0)
    return product / math.sqrt(margins)


def loss(before: Mask, after: Mask, clusters: Sequence[str], seed: int = 0, level: float = 0.95) -> Measure:
    """Accuracy before minus accuracy after, over the same samples in the same order, with its interval.

    If all clusters lost the same share, as when nothing flipped, resampling shows no spread. Then each cluster
    counts as one sample, which is wide enough to be honest.
    """
    if not len(before):
        return Measure.nothing("no sample that both runs decided")
    counts = counts_of(before, after)
    names, numbers = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    sums = np.bincount(numbers, weights=before * 1.0 - after * 1.0).astype(np.float64)
    sizes = np.bincount(numbers).astype(np.float64)
    if len(names) == counts.n:
        interval = newcombe_paired(counts, level)
    elif len(names) > 1 and np.ptp(sums / sizes) > 1e-12:
        interval = cluster_mean(sums, sizes, seed, level)
    else:
        share = len(names) / counts.n
        both, regressed, fixed, neither = (number * share for number in counts)
        interval = newcombe_paired((both, regressed, fixed, neither), level)
    return Measure(counts.difference, *interval, counts.n)
