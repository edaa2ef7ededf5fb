"""Confidence sequences of the lowest of several ratios, and of the largest difference between them.

As for intervals (statistics/extremes.py): what must hold for all of them is shown for each at the risk itself (an
intersection–union test), and what need hold for only one at a risk divided by their number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.sequential.betting import Bets
from mtprobe.statistics.sequential.ratio import RatioSequence

_CELLS = 100  # into which the values of the second of two ratios are divided
_AT_ONCE = 1_000_000  # capitals in memory


@dataclass(frozen=True, slots=True)
class LowestSequence:
    """The lowest of several ratios."""

    ratios: tuple[RatioSequence, ...]
    lowest: float = 0.0
    highest: float = 1.0

    def shows_more(self, bound: float, risk: float) -> bool:
        return all(ratio.shows_more(bound, risk) for ratio in self.ratios)

    def shows_less(self, bound: float, risk: float) -> bool:
        return any(ratio.shows_less(bound, risk / len(self.ratios)) for ratio in self.ratios)


@dataclass(frozen=True, slots=True)
class GapSequence:
    """The largest difference between any two of several ratios; no member of the population counts for two of them."""

    ratios: tuple[RatioSequence, ...]
    lowest: float = 0.0
    highest: float = 1.0

    def shows_more(self, bound: float, risk: float) -> bool:
        each = risk / max(1, len(self.ratios) * (len(self.ratios) - 1))
        return any(pair.shows_more(bound, each) for pair in self._pairs)

    def shows_less(self, bound: float, risk: float) -> bool:
        return len(self.ratios) > 1 and all(pair.shows_less(bound, risk) for pair in self._pairs)

    @property
    def _pairs(self) -> list[_Difference]:
        """The largest difference first: if it does not show what all must show, no other need be asked."""
        pairs = [_Difference(first, second) for first, second in permutations(self.ratios, 2)]
        return sorted(pairs, key=lambda pair: -pair.value)


@dataclass(frozen=True, slots=True)
class _Difference:
    """The difference of two ratios. The second may have any value, so a claim is shown for each cell of values.

    The two have no member in common, so bets on one are fair whatever happens to the other, and their capitals are multiplied.
    """

    first: RatioSequence
    second: RatioSequence

    @property
    def value(self) -> float:
        """So far; the largest possible where nothing is known."""
        first, second = self.first.value, self.second.value
        return 1.0 if first is None or second is None else first - second

    def shows_more(self, bound: float, risk: float) -> bool:
        """Otherwise, with the second in a cell, the first is at most the cell's end plus the bound."""
        starts, ends = self._cells
        possible = ends + bound >= 0
        return self._in_all(starts[possible], ends[possible], bound, risk, more=True)

    def shows_less(self, bound: float, risk: float) -> bool:
        """Otherwise the first is at least the cell's start plus the bound."""
        starts, ends = self._cells
        possible = starts + bound <= 1
        return self._in_all(starts[possible], ends[possible], bound, risk, more=False)

    @property
    def _cells(self) -> tuple[Floats, Floats]:
        """The starts and ends of cells; the most probable first, because it is the hardest."""
        starts = np.arange(_CELLS) / _CELLS
        nearest = np.argsort(np.abs(starts + 0.5 / _CELLS - (self.second.value or 0.0)), kind="stable")
        return starts[nearest], starts[nearest] + 1 / _CELLS

    def _in_all(self, starts: Floats, ends: Floats, bound: float, risk: float, *, more: bool) -> bool:
        step = max(1, _AT_ONCE // max(1, len(self.first.numerators)))
        for few in (slice(0, 1), *(slice(at, at + step) for at in range(1, len(starts), step))):
            claim = self.first.above(ends[few] + bound) if more else self.first.below(starts[few] + bound)
            outside = self._outside(starts[few], ends[few])
            together = _product(self.first.at_all_times(claim.log_capital()), outside)
            if (together.max(axis=-1, initial=0.0) < -math.log(risk)).any():
                return False
        return True

    def _outside(self, starts: Floats, ends: Floats) -> Floats:
        """The capital of bets that the second is outside of each cell, half on either side."""
        sides: list[Bets] = [self.second.above(ends), self.second.below(starts)]
        above, below = (self.second.at_all_times(side.log_capital()) for side in sides)
        return np.logaddexp(above, below) - math.log(2)


def _product(one: Floats, other: Floats) -> Floats:
    """The product of capitals, by their logarithms; certainty stays certain."""
    certain = np.isposinf(one) | np.isposinf(other)
    with np.errstate(invalid="ignore"):
        return np.where(certain, np.inf, one + other)
