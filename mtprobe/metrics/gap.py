"""Gap: the largest difference in accuracy between categories, or between the values of an attribute."""

from __future__ import annotations

import numpy as np

from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Floats, Mask, cluster_difference, newcombe
from mtprobe.statistics.measure import Measure


def gap(tally: Tally, attribute: str | None, level: float = 0.95) -> Measure:
    """Best less worst group. The interval is that of the difference between these two groups."""
    groups = {
        name: mask & tally.decided
        for name, mask in tally.values_of(attribute).items()
        if (mask & tally.decided).any()
    }
    if len(groups) < 2:
        return Measure.nothing(f"only {len(groups)} group{'s' * (len(groups) != 1)} with decided samples")
    values = {name: accuracy(tally, mask).value or 0.0 for name, mask in groups.items()}
    best, worst = max(values, key=lambda name: values[name]), min(values, key=lambda name: values[name])
    if best == worst:  # all equal
        best, worst = list(groups)[:2]
    if tally.independent:
        low, high = newcombe(_counts(tally, groups[best]), _counts(tally, groups[worst]), level)
    else:
        low, high = cluster_difference(
            _sums(tally, groups[best]), _sums(tally, groups[worst]), tally.seed, level
        )
    n = sum(int(mask.sum()) for mask in groups.values())
    return Measure(values[best] - values[worst], max(0.0, low), min(1.0, high), n, f"{best} over {worst}")


def _counts(tally: Tally, mask: Mask) -> tuple[float, float]:
    return float((mask & tally.correct).sum()), float(mask.sum())


def _sums(tally: Tally, mask: Mask) -> tuple[Floats, Floats]:
    return tally.by_cluster(tally.correct.astype(np.float64), mask), tally.by_cluster(np.ones(tally.n), mask)
