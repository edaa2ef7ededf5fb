"""Ranks and rank correlation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mtprobe.statistics.intervals import Floats, z_of
from mtprobe.statistics.measure import Measure


def average_ranks(values: Floats) -> Floats:
    """1 for the smallest, n for the largest; equal values share the average."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = counts.cumsum() - (counts - 1) / 2
    return ranks[inverse]


def spearman(first: Sequence[float], second: Sequence[float], level: float = 0.95) -> Measure:
    """Spearman's ρ of paired values, −1 to 1; no value if all values of a side are equal.

    The interval is Fisher's, with Bonett and Wright's variance. Fewer than four pairs give no information on ρ.
    """
    n = len(first)
    ranks = [average_ranks(np.asarray(values, dtype=np.float64)) for values in (first, second)]
    if n < 2 or any(np.ptp(side) == 0 for side in ranks):
        return Measure(None, -1.0, 1.0, n, "a ranking needs two different values")
    rho = float(np.clip(np.corrcoef(ranks[0], ranks[1])[0, 1], -1, 1))
    return Measure(rho, *_interval(rho, n, level), n)


def _interval(rho: float, n: int, level: float) -> tuple[float, float]:
    if n < 4:
        return -1.0, 1.0
    # Rankings of n items resolve ρ only in such steps, so equal rankings are no proof of ρ = 1.
    most = 1 - 6 / (n * (n * n - 1))
    centre = math.atanh(max(-most, min(most, rho)))
    half = z_of(level) * math.sqrt((1 + rho * rho / 2) / (n - 3))
    low, high = math.tanh(centre - half), math.tanh(centre + half)
    return (-1.0 if rho <= -most else min(low, rho)), (1.0 if rho >= most else max(high, rho))


def mean_of_pairs(measures: Sequence[Measure]) -> Measure:
    """The mean over pairs of rankings of the same items.

    Its interval is the mean of theirs: as wide as if all pairs erred together, which they may.
    """
    valued = [measure for measure in measures if measure.value is not None]
    if not valued:
        return Measure(None, -1.0, 1.0, 0)
    value, low, high = (
        math.fsum(numbers) / len(valued)
        for numbers in zip(*((one.value or 0.0, one.low, one.high) for one in valued), strict=True)
    )
    return Measure(value, low, high, min(measure.n for measure in valued), f"{len(valued)} pairs")
