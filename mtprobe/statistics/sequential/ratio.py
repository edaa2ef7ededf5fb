"""The confidence sequence of a ratio: of correct to decided samples, for example."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.statistics.sequential.betting import Bets


@dataclass(frozen=True, slots=True)
class RatioSequence:
    """Σ numerators / Σ denominators over a population, of which the first members were asked.

    If m is the ratio, the sum of (numerator − m · denominator) over the population is 0: that is what is bet on. A member
    is a sample or a cluster; its denominator is known only when it was asked.
    """

    numerators: Floats  # of the members that were asked, in their order
    denominators: Floats
    capacities: Floats  # of all members, in the same order: the largest denominators that they may have
    lowest: float = 0.0  # no numerator is below this times its denominator
    highest: float = 1.0

    @property
    def value(self) -> float | None:
        """So far."""
        total = float(self.denominators.sum())
        return float(self.numerators.sum()) / total if total > 0 else None

    @property
    def members(self) -> Mask:
        """The members that may count."""
        return self.capacities > 0

    def shows_more(self, bound: float, risk: float) -> bool:
        return self.above(bound).won(risk)

    def shows_less(self, bound: float, risk: float) -> bool:
        return self.below(bound).won(risk)

    def above(self, bounds: float | Floats) -> Bets:
        """The claim that the ratio is above the bound, or above each of several bounds."""
        bound = np.asarray(bounds)[..., None]
        values = self.numerators - bound * self.denominators
        return Bets(values, np.minimum(0.0, self.lowest - bound) * self.capacities).among(self.members)

    def below(self, bounds: float | Floats) -> Bets:
        """The claim that the ratio is below the bound."""
        bound = np.asarray(bounds)[..., None]
        values = bound * self.denominators - self.numerators
        return Bets(values, np.minimum(0.0, bound - self.highest) * self.capacities).among(self.members)

    def at_all_times(self, capital: Floats) -> Floats:
        """The logarithm of a capital after each member that may count → after each member."""
        before = np.zeros((*capital.shape[:-1], 1))
        return np.concatenate([before, capital], axis=-1)[
            ..., np.cumsum(self.members[: len(self.numerators)])
        ]
