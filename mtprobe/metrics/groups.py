"""Mean group error: the error rate of each value of an attribute, averaged over the values, whatever their sizes.

Over the rank of a sense it is DiBiMT's SFII (sense frequency index influence), over how many senses a word has its SPDI
(sense polysemy degree importance): rare senses and many-sided words count as much as common ones.
"""

from __future__ import annotations

import math

import numpy as np

from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import MANY_CLUSTERS, Floats, Mask, resampled_counts, wilson, z_of
from mtprobe.statistics.measure import Measure

RANK, DEGREE = "sense_rank", "polysemy"


def sfii(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Over the ranks of senses by frequency."""
    return group_error(tally, RANK, mask, level)


def spdi(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Over the numbers of senses that words have."""
    return group_error(tally, DEGREE, mask, level)


def group_error(tally: Tally, attribute: str, mask: Mask, level: float = 0.95) -> Measure:
    """Over decided samples that have the attribute; the interval is over resampled clusters."""
    groups = {
        name: inside
        for name, held in tally.values_of(attribute).items()
        if (inside := held & mask & tally.decided).any()
    }
    if not groups:
        return Measure.nothing(f'no decided sample has the attribute "{attribute}"')
    wrong = (~tally.correct).astype(np.float64)
    columns = [
        (tally.by_cluster(wrong, inside), tally.by_cluster(np.ones(tally.n), inside))
        for inside in groups.values()
    ]
    errors, counts = (np.stack(side, axis=1) for side in zip(*columns, strict=True))
    present = counts.sum(axis=1) > 0
    errors, counts = errors[present], counts[present]
    value = float((errors.sum(axis=0) / counts.sum(axis=0)).mean())
    n = int(counts.sum())
    return Measure(value, *_interval(errors, counts, value, tally.seed, level), n, f"{len(groups)} groups")


def _interval(errors: Floats, counts: Floats, value: float, seed: int, level: float) -> tuple[float, float]:
    """Both [clusters, groups]. A group that a resample lacks is left out of its mean."""
    clusters = len(counts)
    if clusters > MANY_CLUSTERS:
        totals = counts.sum(axis=0)
        influence = ((errors - errors.sum(axis=0) / totals * counts) / totals).mean(axis=1)
        half = z_of(level) * math.sqrt(float((influence**2).sum()))
        return max(0.0, value - half), min(1.0, value + half)
    drawn = resampled_counts(clusters, seed)
    n = drawn @ counts
    rates = np.divide(drawn @ errors, n, out=np.full_like(n, np.nan), where=n > 0)
    values = np.nanmean(rates, axis=1)
    if np.ptp(values) < 1e-12:  # resampling knows nothing: as wide as a proportion of so many clusters
        return wilson(value * clusters, clusters, level)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
