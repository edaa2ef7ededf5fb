"""Ranks, and how far two rankings agree."""

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


def spearman(one: Sequence[float], other: Sequence[float], level: float = 0.95) -> Measure:
    """Spearman's ρ of paired values, −1 to 1; nothing where a side has no two different values.

    The interval is Fisher's, with Bonett and Wright's variance. Fewer than four pairs say nothing of ρ.
    """
    n = len(one)
    ranks = [average_ranks(np.asarray(values, dtype=np.float64)) for values in (one, other)]
    if n < 2 or any(np.ptp(side) == 0 for side in ranks):
        return Measure(None, -1.0, 1.0, n, "a ranking needs two different values")
    rho = float(np.clip(np.corrcoef(ranks[0], ranks[1])[0, 1], -1, 1))
    return Measure(rho, *_interval(rho, n, level), n)


def _interval(rho: float, n: int, level: float) -> tuple[float, float]:
    if n < 4:
        return -1.0, 1.0
    # Rankings of n things cannot show ρ more finely than in such steps, so equal ones are no proof of ρ = 1.
    most = 1 - 6 / (n * (n * n - 1))
    centre = math.atanh(max(-most, min(most, rho)))
    half = z_of(level) * math.sqrt((1 + rho * rho / 2) / (n - 3))
    low, high = math.tanh(centre - half), math.tanh(centre + half)
    return (-1.0 if rho <= -most else min(low, rho)), (1.0 if rho >= most else max(high, rho))


def mean_of_pairs(measures: Sequence[Measure]) -> Measure:
    """The mean over pairs of rankings of the same things.

    Its interval is the mean of theirs: as wide as if all pairs erred together, which they may.
    """
    found = [one for one in measures if one.value is not None]
    if not found:
        return Measure(None, -1.0, 1.0, 0)
    value, low, high = (
        math.fsum(part) / len(found)
        for part in zip(*((one.value or 0.0, one.low, one.high) for one in found), strict=True)
    )
    return Measure(value, low, high, min(one.n for one in found), f"{len(found)} pairs")
