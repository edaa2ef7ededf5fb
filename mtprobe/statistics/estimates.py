"""Estimates with an interval at any level, and the interval for more samples of the same kind.

docs/explanation/statistics.md says why these intervals were chosen and how often they are wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

from mtprobe.statistics.intervals import UNLIMITED, Interval, exact, t_of, z_of

# The design effect is estimated from the clusters, and this many degrees of freedom are added that say that
# the samples of a cluster are always alike. Few errors in few clusters cannot prove that errors are scattered.
_PRIOR = 1.0
_SYMMETRIC = 1e-6  # a smaller skewness is none


class Estimate(Protocol):
    """A number that was estimated from samples."""

    @property
    def value(self) -> float: ...

    def interval(self, level: float) -> Interval:
        """Each end is on the wrong side of the truth with a probability of at most (1 − level) / 2."""

    def grown(self, times: float) -> Estimate:
        """The same value from so many times as many clusters, each like those that there are."""


@dataclass(frozen=True, slots=True)
class Share:
    """A number between 0 and 1, and how much evidence there is for it."""

    value: float
    samples: float  # as many samples of equal weight
    clusters: float  # as many clusters of equal weight; each sample is its own where samples are independent
    effect: float = 1.0  # the variance, compared with that of independent samples: the design effect
    freedom: float = math.inf  # degrees of freedom of `effect`; 0 if the clusters say nothing about it

    def interval(self, level: float) -> Interval:
        """Korn and Graubard: the exact interval of as many independent samples as the clusters are worth."""
        if self.clusters <= 1:
            return 0.0, 1.0
        n = self._independent(level)
        return exact(self.value * n, n, level)

    def grown(self, times: float) -> Share:
        return replace(
            self,
            samples=self.samples * times,
            clusters=self.clusters * times,
            freedom=self.freedom * times,
        )

    def _independent(self, level: float) -> float:
        """The number of independent samples that would say as much.

        At least the number of clusters: one sample of each would be as many independent ones.
        """
        if math.isinf(self.freedom):
            return self.samples / self.effect
        most = max(1.0, self.samples / self.clusters)
        effect = (self.freedom * self.effect + _PRIOR * most) / (self.freedom + _PRIOR)
        widening = t_of(level, max(1.0, self.freedom)) / z_of(level)
        return max(self.samples / effect / widening**2, min(self.clusters, self.samples / self.effect))


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of any numbers over clusters."""

    value: float
    clusters: float
    spread: float  # the standard deviation of the clusters
    skewness: float
    freedom: float
    lowest: float = -math.inf  # no mean is below it

    def interval(self, level: float) -> Interval:
        """Student's t; further out where Hall's correction for skewness says so."""
        distance = t_of(level, self.freedom) / math.sqrt(self.clusters)
        low = self.value - self.spread * max(distance, self._corrected(distance))
        high = self.value + self.spread * max(distance, -self._corrected(-distance))
        return max(self.lowest, low), high

    def grown(self, times: float) -> Mean:
        return replace(self, clusters=self.clusters * times, freedom=self.freedom * times)

    def _corrected(self, distance: float) -> float:
        """The inverse of Hall's cubic transformation."""
        if abs(self.skewness) < _SYMMETRIC:
            return distance
        shifted = distance - self.skewness / (6 * self.clusters)
        return 3 / self.skewness * (math.cbrt(1 + self.skewness * shifted) - 1)


@dataclass(frozen=True, slots=True)
class OneCluster:
    """A mean over a single cluster: it has a value, and nothing shows how far other clusters are from it."""

    value: float
    lowest: float = -math.inf

    def interval(self, level: float) -> Interval:  # noqa: ARG002 - the same at every level
        return max(self.lowest, -UNLIMITED), UNLIMITED

    def grown(self, times: float) -> OneCluster:  # noqa: ARG002 - more of the same cluster shows no more
        return self


@dataclass(frozen=True, slots=True)
class Difference:
    """A share minus another, over samples that may belong to the same clusters."""

    first: Share
    second: Share
    correlation: float = 0.0
    paired: Mean | None = None  # the same difference as a mean over the clusters that the two have in common

    @property
    def value(self) -> float:
        return self.first.value - self.second.value

    def interval(self, level: float) -> Interval:
        """From the intervals of both shares, as in Newcombe's method 10; correlated as Zou and Donner do.

        The correlation is itself an estimate. Where there is one, the interval is no narrower than that of the mean:
        as far as the two shares themselves allow, since few skewed clusters can send a mean's far beyond them.
        """
        (low1, high1), (low2, high2) = self.first.interval(level), self.second.interval(level)
        below = _reach(self.first.value - low1, high2 - self.second.value, self.correlation)
        above = _reach(high1 - self.first.value, self.second.value - low2, self.correlation)
        low, high = self.value - below, self.value + above
        if self.paired is not None:
            lower, upper = self.paired.interval(level)
            least, most = self._farthest(level)
            low, high = min(low, max(lower, least)), max(high, min(upper, most))
        return max(-1.0, low), min(1.0, high)

    def _farthest(self, level: float) -> Interval:
        """The range that the intervals of both shares allow, for any dependence between them."""
        together = adjusted(level, 2)
        (low1, high1), (low2, high2) = self.first.interval(together), self.second.interval(together)
        return low1 - high2, high1 - low2

    def grown(self, times: float) -> Difference:
        paired = self.paired and self.paired.grown(times)
        return Difference(self.first.grown(times), self.second.grown(times), self.correlation, paired)


@dataclass(frozen=True, slots=True)
class Imbalance:
    """How far a share is from one half, from 0 to 1: |2 × share − 1|."""

    share: Share

    @property
    def value(self) -> float:
        return abs(2 * self.share.value - 1)

    def interval(self, level: float) -> Interval:
        """A share may be too far from one half in two directions, and the lower end allows for both."""
        low, high = self.share.interval(level)
        certainly_low, certainly_high = self.share.interval(adjusted(level, 2))
        return max(0.0, 2 * certainly_low - 1, 1 - 2 * certainly_high), max(2 * high - 1, 1 - 2 * low)

    def grown(self, times: float) -> Imbalance:
        return Imbalance(self.share.grown(times))


@dataclass(frozen=True, slots=True)
class Rounded:
    """An estimate whose published value is rounded; its interval includes the rounded value."""

    value: float
    exactly: Estimate

    def interval(self, level: float) -> Interval:
        low, high = self.exactly.interval(level)
        return min(low, self.value), max(high, self.value)

    def grown(self, times: float) -> Rounded:
        return Rounded(self.value, self.exactly.grown(times))


def adjusted(level: float, comparisons: int) -> float:
    """The level at which so many intervals hold together (Bonferroni): valid however they depend on each other."""
    return 1 - (1 - level) / comparisons


def _reach(first: float, second: float, correlation: float) -> float:
    return math.sqrt(max(0.0, first * first - 2 * correlation * first * second + second * second))
