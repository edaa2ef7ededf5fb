"""Estimates from clusters, for samples that are not independent within a cluster."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.statistics.estimates import Difference, Mean, OneCluster, Share
from mtprobe.statistics.intervals import Floats, Interval

_NONE = 1e-15  # a smaller variance is no variance


@dataclass(frozen=True, slots=True)
class Ratio:
    """Σ numerators / Σ denominators, one of each per cluster; a cluster with denominator 0 does not count."""

    numerators: Floats
    denominators: Floats
    samples: float | None = None  # as many samples of equal weight; by default the sum of the denominators

    @property
    def value(self) -> float:
        return float(self.numerators.sum() / self.denominators.sum())

    @property
    def influences(self) -> Floats:
        """The influence of each cluster on the value: its change compared with leaving the cluster out."""
        return _from_replicates(self.value, self._without_each(), self.denominators > 0)

    @property
    def share(self) -> Share:
        total = float(self.denominators.sum())
        if self.samples is None and self.denominators.max() <= 1:
            return independent(float(self.numerators.sum()), total)
        samples = total if self.samples is None else self.samples
        return share(self.value, self.influences, self.denominators, samples)

    def _without_each(self) -> Floats:
        rest = self.denominators.sum() - self.denominators
        values: Floats = np.divide(
            self.numerators.sum() - self.numerators,
            rest,
            out=np.full(len(rest), self.value),
            where=rest > 0,
        )
        return values


def share(value: float, influences: Floats, weights: Floats, samples: float) -> Share:
    """Any number between 0 and 1, from each cluster's influence on it and its weight in it.

    Where clusters differ in weight, all of them say how much a heavy one would vary: the larger variance counts.
    """
    inside = weights > 0
    influences, weights = influences[inside], weights[inside] / weights.sum()
    clusters = equal_weights(weights)
    variance = _variance(influences)
    if len(weights) < 2 or variance < _NONE:
        return Share(value, samples, clusters, freedom=0.0)
    typical = float((influences**2 / weights).sum()) / clusters  # if clusters of any weight deviate alike
    independent_variance = value * (1 - value) / samples
    effect = max(variance, typical) / independent_variance if independent_variance > _NONE else 1.0
    return Share(value, samples, clusters, max(1.0, effect), _freedom(influences**2))


def equal_weights(weights: Floats) -> float:
    """How many samples of equal weight would say as much (Kish)."""
    return float(weights.sum()) ** 2 / float((weights**2).sum())


def independent(successes: float, n: float) -> Share:
    """A share of n independent samples."""
    return Share(successes / n, n, n)


def mean(ratio: Ratio, lowest: float = -math.inf) -> Mean | OneCluster:
    """A ratio that may be any number, at least `lowest`; a single cluster shows no spread."""
    influences = ratio.influences[ratio.denominators > 0]
    if len(influences) < 2:
        return OneCluster(ratio.value, lowest)
    return mean_of(ratio.value, influences, lowest)


def mean_of(value: float, influences: Floats, lowest: float = -math.inf) -> Mean:
    """Any number, from the influence of each cluster on it."""
    clusters = len(influences)
    deviations = influences * clusters
    square = float((deviations**2).mean())
    shown = float((deviations**3).mean()) / square**1.5 if square > _NONE else 0.0
    skewness = shown * (1 + 8 / clusters)  # few clusters show too little of it; the factor is by simulation
    spread = math.sqrt(_variance(influences) * clusters)
    return Mean(value, clusters, spread, skewness, _freedom(influences**2), lowest)


def difference(first: Ratio, second: Ratio) -> Difference:
    """The difference of two ratios over the same clusters."""
    correlation = float(correlations([first, second])[0, 1])
    influences = (first.influences - second.influences)[(first.denominators > 0) | (second.denominators > 0)]
    paired = mean_of(first.value - second.value, influences) if correlation and len(influences) > 1 else None
    return Difference(first.share, second.share, correlation, paired)


def correlations(ratios: Sequence[Ratio]) -> Floats:
    """Between any two ratios over the same clusters."""
    return correlation_of([ratio.influences for ratio in ratios])


def correlation_of(by_estimate: Sequence[Floats]) -> Floats:
    """Between any two estimates, from the influence of each cluster on them."""
    influences = np.stack(by_estimate)
    norms = np.sqrt((influences**2).sum(axis=1))
    scale = np.outer(norms, norms)
    products: Floats = influences @ influences.T
    return np.divide(products, scale, out=np.zeros_like(products), where=scale > _NONE)


def from_replicates(value: float, replicates: Floats) -> Floats:
    """The influence of each cluster, from the values without each of them (the jackknife)."""
    return _from_replicates(value, replicates, np.ones(len(replicates), dtype=bool))


def cluster_ratio(numerators: Floats, denominators: Floats, level: float = 0.95) -> Interval:
    """The interval of Σ numerators / Σ denominators, one of each per cluster."""
    if not denominators.any():
        return 0.0, 1.0
    return Ratio(numerators, denominators).share.interval(level)


def _from_replicates(value: float, replicates: Floats, inside: np.ndarray) -> Floats:
    clusters = int(inside.sum())
    influences: Floats = np.where(inside, (value - replicates) * (clusters - 1) / max(1, clusters), 0.0)
    return influences


def _variance(influences: Floats) -> float:
    """The variance of the estimate (jackknife CV3), which is an overestimate if anything."""
    clusters = len(influences)
    return clusters / max(1, clusters - 1) * float((influences**2).sum())


def _freedom(squares: Floats) -> float:
    """The degrees of freedom of a sum of squares, by Satterthwaite from the squares themselves.

    Where few clusters contribute nearly everything, it is about twice their number.
    """
    clusters, total = len(squares), float(squares.sum())
    spread = float((squares**2).sum()) - total**2 / clusters
    if spread <= total**2 * 1e-12:
        return float(clusters - 1)
    return min(2 * total**2 / spread, float(clusters - 1))
