"""Confidence intervals of a share of independent samples, and resampling for numbers without a formula."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Interval = tuple[float, float]

UNLIMITED = 1e12  # an end that nothing limits; a record holds no infinity
RESAMPLES = 2000
_KEPT = 2000  # draws for more clusters than this are not kept
_DRAWS = 1_000_000  # per batch
_NOTHING = 1e-9  # fewer samples than that are none: sums of weights are not exact


def z_of(level: float) -> float:
    """The two-sided normal quantile: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def t_of(level: float, freedom: float) -> float:
    """The two-sided quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + level / 2)) if math.isfinite(freedom) else z_of(level)


def exact(successes: float, n: float, level: float = 0.95) -> Interval:
    """Clopper and Pearson's interval of a share of independent samples; neither number need be whole."""
    from scipy.special import betaincinv

    if n <= 0:
        return 0.0, 1.0
    outside = (1 - level) / 2
    failures = n - successes
    return (
        float(betaincinv(successes, failures + 1, outside)) if successes > _NOTHING else 0.0,
        float(betaincinv(successes + 1, failures, 1 - outside)) if failures > _NOTHING else 1.0,
    )


def wilson(successes: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval of a share of independent samples."""
    if n <= 0:
        return 0.0, 1.0
    z = z_of(level)
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if successes <= 0 else max(0.0, centre - half)
    high = 1.0 if successes >= n else min(1.0, centre + half)
    return low, high


def resampled_counts(clusters: int, seed: int) -> Floats:
    """How often each cluster occurs in each resample: RESAMPLES × clusters, read-only."""
    return _cached(clusters, seed) if clusters <= _KEPT else _drawn(clusters, seed)


def _drawn(clusters: int, seed: int) -> Floats:
    """Draws and counts in batches of resamples: five times as fast as numpy's multinomial."""
    rng = np.random.default_rng(seed)
    counts = np.empty((RESAMPLES, clusters))
    batch = max(1, _DRAWS // clusters)
    for start in range(0, RESAMPLES, batch):
        rows = min(batch, RESAMPLES - start)
        drawn = rng.integers(clusters, size=(rows, clusters)) + clusters * np.arange(rows)[:, None]
        counts[start : start + rows] = np.bincount(drawn.ravel(), minlength=rows * clusters).reshape(rows, -1)
    counts.flags.writeable = False
    return counts


# A category's plain and weighted accuracy, and the same category for the next model, share their resamples.
_cached = lru_cache(maxsize=4)(_drawn)


def percentiles(values: Floats, level: float) -> Interval:
    """The interval that holds the middle `level` of the resampled values."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
