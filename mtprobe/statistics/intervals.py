"""Confidence intervals: Wilson for independent samples, resampled clusters otherwise."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

RESAMPLES = 2000
# With more clusters than this, the ratio's linearised variance is as good as resampling and much cheaper.
MANY_CLUSTERS = 2000
_DRAWS = 1_000_000  # per batch


def z_of(level: float) -> float:
    """The two-sided normal quantile: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson(successes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion of independent samples."""
    if n <= 0:
        return 0.0, 1.0
    z = z_of(level)
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if successes <= 0 else max(0.0, centre - half)
    high = 1.0 if successes >= n else min(1.0, centre + half)
    return low, high


def newcombe(
    first: tuple[float, float], second: tuple[float, float], level: float = 0.95
) -> tuple[float, float]:
    """The interval of the difference of two independent proportions, each (successes, n); Newcombe's method 10."""
    (p1, (l1, u1)), (p2, (l2, u2)) = ((k / n, wilson(k, n, level)) for k, n in (first, second))
    difference = p1 - p2
    return (
        difference - math.hypot(p1 - l1, u2 - p2),
        difference + math.hypot(u1 - p1, p2 - l2),
    )


def resampled_counts(clusters: int, seed: int) -> Floats:
    """How often each cluster occurs in each resample: RESAMPLES × clusters, read-only."""
    return _cached(clusters, seed) if clusters <= MANY_CLUSTERS else _drawn(clusters, seed)


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


def percentiles(values: Floats, level: float) -> tuple[float, float]:
    """The interval that holds the middle `level` of the resampled values."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def resampled_interval(values: Floats, value: float, clusters: int, level: float) -> tuple[float, float]:
    """The percentiles of the resampled values; if they show no spread, Wilson's interval with the clusters as samples."""
    if np.ptp(values) < 1e-12:
        return wilson(value * clusters, clusters, level)
    return percentiles(values, level)


def cluster_ratio(
    numerators: Floats, denominators: Floats, seed: int, level: float = 0.95
) -> tuple[float, float]:
    """The interval of Σ numerators / Σ denominators, one of each per cluster, by resampling clusters.

    Where every resample gives the same value (all right, or all wrong) resampling knows nothing: then
    Wilson's interval with the clusters as samples, which is wide enough to be honest.
    """
    inside = denominators > 0
    numerators, denominators = numerators[inside], denominators[inside]
    clusters = len(denominators)
    if clusters == 0:
        return 0.0, 1.0
    ratio = float(numerators.sum() / denominators.sum())
    per_cluster = numerators / denominators
    if np.ptp(per_cluster) < 1e-12 or clusters < 2:
        return wilson(ratio * clusters, clusters, level)
    if clusters > MANY_CLUSTERS:
        residuals = numerators - ratio * denominators
        spread = math.sqrt(clusters / (clusters - 1) * float((residuals**2).sum())) / float(
            denominators.sum()
        )
        half = z_of(level) * spread
        return max(0.0, ratio - half), min(1.0, ratio + half)
    drawn = resampled_counts(clusters, seed) @ np.column_stack([numerators, denominators])
    return percentiles(drawn[:, 0] / drawn[:, 1], level)


def cluster_mean(sums: Floats, counts: Floats, seed: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of a mean of any numbers, Σ sums / Σ counts, one of each per cluster, by resampling clusters.

    It takes at least two clusters: a single one shows no spread.
    """
    inside = counts > 0
    sums, counts = sums[inside], counts[inside]
    if len(sums) < 2:
        raise ValueError("the interval of a mean takes at least two clusters")
    if len(sums) > MANY_CLUSTERS:
        return _linear_difference((sums, counts), (np.zeros_like(sums), counts), level)
    drawn = resampled_counts(len(sums), seed)
    return percentiles((drawn @ sums) / (drawn @ counts), level)


def cluster_difference(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], seed: int, level: float = 0.95
) -> tuple[float, float]:
    """The interval of the difference of two ratios over the same clusters, each (numerators, denominators)."""
    clusters = len(first[0])
    if clusters > 5 * MANY_CLUSTERS:
        return _linear_difference(first, second, level)
    counts = resampled_counts(clusters, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = (counts @ first[0]) / (counts @ first[1]) - (counts @ second[0]) / (counts @ second[1])
    values = values[np.isfinite(values)]
    if len(values) < RESAMPLES / 2 or np.ptp(values) < 1e-12:
        pairs = []
        for numerators, denominators in (first, second):
            present = int((denominators > 0).sum())
            pairs.append((float(numerators.sum() / denominators.sum()) * present, float(present)))
        return newcombe(pairs[0], pairs[1], level)
    return percentiles(values, level)


def _linear_difference(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], level: float
) -> tuple[float, float]:
    influence = np.zeros(len(first[0]))
    ratios = []
    for sign, (numerators, denominators) in ((1, first), (-1, second)):
        ratio = numerators.sum() / denominators.sum()
        influence += sign * (numerators - ratio * denominators) / denominators.sum()
        ratios.append(float(ratio))
    half = z_of(level) * math.sqrt(float((influence**2).sum()))
    difference = ratios[0] - ratios[1]
    return difference - half, difference + half
