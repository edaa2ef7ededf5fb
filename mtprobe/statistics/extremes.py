"""The lowest of several shares, and the largest difference between them, with allowance for selection by the data.

A minimum is at least a bound if every share is, and a gap is at most a bound if every difference is. So to pass, each
of them must pass at the level itself (an intersection–union test). To fail, a single one is enough, and the more
there are, the more likely one fails by chance: that end of the interval is adjusted for their number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtprobe.statistics.estimates import Estimate, adjusted
from mtprobe.statistics.intervals import Floats, Interval


@dataclass(frozen=True, slots=True)
class Lowest:
    """The lowest of several shares."""

    shares: tuple[Estimate, ...]

    @property
    def value(self) -> float:
        return min(share.value for share in self.shares)

    def interval(self, level: float) -> Interval:
        together = adjusted(level, len(self.shares))
        return (
            min(share.interval(level)[0] for share in self.shares),
            min(share.interval(together)[1] for share in self.shares),
        )

    def grown(self, times: float) -> Lowest:
        return Lowest(tuple(share.grown(times) for share in self.shares))


@dataclass(frozen=True, slots=True)
class LargestGap:
    """The largest difference between any two of several shares."""

    shares: tuple[Estimate, ...]
    correlations: Floats  # between any two of them: 0 where they share no cluster

    @property
    def value(self) -> float:
        values = [share.value for share in self.shares]
        return max(values) - min(values)

    def interval(self, level: float) -> Interval:
        """Every two shares may differ in two directions."""
        groups = len(self.shares)
        _, upper = self._differences(level)
        lower, _ = self._differences(adjusted(level, groups * (groups - 1)))
        pairs = ~np.eye(groups, dtype=bool)
        return max(0.0, float(lower[pairs].max())), min(1.0, float(upper[pairs].max()))

    def grown(self, times: float) -> LargestGap:
        return LargestGap(tuple(share.grown(times) for share in self.shares), self.correlations)

    def _differences(self, level: float) -> tuple[Floats, Floats]:
        """The ends of `Difference.interval` for all pairs at once."""
        values = np.array([share.value for share in self.shares])
        ends = np.array([share.interval(level) for share in self.shares])
        below, above = values - ends[:, 0], ends[:, 1] - values
        differences = values[:, None] - values
        return (
            differences - reach(below[:, None], above[None], self.correlations),
            differences + reach(above[:, None], below[None], self.correlations),
        )


def reach(first: Floats, second: Floats, correlations: Floats) -> Floats:
    """The distance of a difference's end, from those of its two shares (MOVER)."""
    squares: Floats = first**2 - 2 * correlations * first * second + second**2
    distance: Floats = np.sqrt(squares.clip(min=0.0))
    return distance
