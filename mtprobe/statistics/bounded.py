"""Values whose undecided samples may turn out either way: shown with bounds, and decided on them.

Undecided samples are the hard ones, so a number over the decided samples flatters. What is known is where the number
lies whatever the undecided ones are: between its value with all of them wrong and its value with all of them right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mtprobe.statistics.estimates import Estimate, Share, adjusted
from mtprobe.statistics.extremes import LargestGap, reach
from mtprobe.statistics.intervals import Floats, Interval
from mtprobe.statistics.measure import Estimated


@dataclass(frozen=True, slots=True)
class Bounded:
    """A number over the decided samples, and what it would be at the extremes of the undecided ones."""

    decided: Estimate
    extremes: tuple[Estimate, ...]

    @property
    def value(self) -> float:
        return self.decided.value

    @property
    def bounds(self) -> Interval:
        """The lowest and the highest value that the undecided samples allow."""
        values = [self.value, *(extreme.value for extreme in self.extremes)]
        return min(values), max(values)

    def interval(self, level: float) -> Interval:
        """From the lowest end of the lower bound to the highest end of the upper one."""
        intervals = [estimate.interval(level) for estimate in (self.decided, *self.extremes)]
        return min(low for low, _ in intervals), max(high for _, high in intervals)

    def grown(self, times: float) -> Bounded:
        """More samples of the same kind: as many of them are undecided."""
        return Bounded(self.decided.grown(times), tuple(extreme.grown(times) for extreme in self.extremes))


@dataclass(frozen=True, slots=True)
class BoundedGap:
    """The largest difference between shares, each of which lies between its worst and its best."""

    decided: LargestGap
    worst: tuple[Share, ...]
    best: tuple[Share, ...]
    correlations: Floats  # [best, worst]

    @property
    def value(self) -> float:
        return self.decided.value

    @property
    def bounds(self) -> Interval:
        """Between any two shares at least the gap of worst over best, at most that of best over worst."""
        worst, best = (np.array([share.value for share in shares]) for shares in (self.worst, self.best))
        pairs = ~np.eye(len(worst), dtype=bool)
        narrowest, widest = worst[:, None] - best, best[:, None] - worst
        value = self.value
        return min(value, max(0.0, float(narrowest[pairs].max()))), max(value, float(widest[pairs].max()))

    def interval(self, level: float) -> Interval:
        """Like that of the largest gap: any two shares may differ in two directions."""
        groups = len(self.worst)
        pairs = ~np.eye(groups, dtype=bool)
        together = adjusted(level, groups * (groups - 1))
        narrowest = self._narrowest(together)[pairs].max()
        widest = self._widest(level)[pairs].max()
        low, high = self.decided.interval(level)
        return min(low, max(0.0, float(narrowest))), max(high, min(1.0, float(widest)))

    def grown(self, times: float) -> BoundedGap:
        return replace(
            self,
            decided=self.decided.grown(times),
            worst=tuple(share.grown(times) for share in self.worst),
            best=tuple(share.grown(times) for share in self.best),
        )

    def _narrowest(self, level: float) -> Floats:
        """The lower ends of worst minus best."""
        below, above = _distances(self.worst, level)[0], _distances(self.best, level)[1]
        worst, best = _values(self.worst), _values(self.best)
        return worst[:, None] - best - reach(below[:, None], above[None], self.correlations.T)

    def _widest(self, level: float) -> Floats:
        """The upper ends of best minus worst."""
        below, above = _distances(self.worst, level)[0], _distances(self.best, level)[1]
        worst, best = _values(self.worst), _values(self.best)
        return best[:, None] - worst + reach(above[:, None], below[None], self.correlations)


def bounded(decided: Estimated, extremes: list[Estimated]) -> Estimated:
    """The number over the decided samples with its bounds; as it is where no sample is undecided."""
    if decided.estimate is None:
        return decided
    value = decided.estimate.value
    estimates = tuple(extreme.estimate for extreme in extremes if extreme.estimate is not None)
    if all(extreme.n == decided.n for extreme in extremes) and all(one.value == value for one in estimates):
        return decided
    return replace(decided, estimate=Bounded(decided.estimate, estimates))


def _values(shares: tuple[Share, ...]) -> Floats:
    return np.array([share.value for share in shares])


def _distances(shares: tuple[Share, ...], level: float) -> tuple[Floats, Floats]:
    """From each share down to the lower end of its interval, and up to the upper one."""
    values, ends = _values(shares), np.array([share.interval(level) for share in shares])
    return values - ends[:, 0], ends[:, 1] - values
