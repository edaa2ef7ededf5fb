"""Bets against the claim that the values of a finite population have no positive sum."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mtprobe.statistics.intervals import Floats, Mask

# Shares of the largest stake that leaves no debt. The capital is divided between them, so none has to be the best. At 1, and
# as long as nothing speaks against the claim, the capital is the inverse of the hypergeometric probability.
_STAKES = (0.05, 0.15, 0.35, 0.6, 0.85, 1.0)
_LEAST = 1e-12  # room for a bet
_CERTAIN = 1e-9  # sums beyond it are no rounding


@dataclass(frozen=True, slots=True)
class Bets:
    """The contribution of each member to a sum that is positive if a claim holds, and the minimum contribution.

    Members are in the random order in which they are asked. Both arrays may be stacks of several bets.
    """

    values: Floats  # [..., asked]
    floors: Floats  # [..., population]; none is above 0

    def among(self, members: Mask) -> Bets:
        """The bets on some members only; their order is as random as that of all."""
        return Bets(self.values[..., members[: self.values.shape[-1]]], self.floors[..., members])

    def won(self, risk: float) -> bool:
        """Whether the claim is shown: it is false with a probability of at most `risk`, over all moments."""
        return bool((self.log_capital().max(axis=-1, initial=0.0) >= -math.log(risk)).all())

    def log_capital(self) -> Floats:
        """The log capital after each member, starting from 1; infinite once no rest could make the claim false.

        A bet is fair if the sum is 0: what is left must then make up for what was seen, since members are asked
        once only. Somebody who bets fairly multiplies the capital by 1/risk with a probability of at most `risk`, ever.
        """
        values, floors = self.values, self.floors
        asked, population = values.shape[-1], floors.shape[-1]
        sums = np.cumsum(values, axis=-1)
        fair = -(sums - values) / (population - np.arange(asked))
        lowest = np.minimum.accumulate(floors[..., ::-1], axis=-1)[..., ::-1][..., :asked]
        gains = ((values - fair) / np.maximum(fair - lowest, _LEAST)).clip(min=-1.0)
        capital: Floats = np.full(gains.shape, -np.inf)
        with np.errstate(divide="ignore"):  # a stake of everything may be lost
            for stake in _STAKES:
                capital = np.logaddexp(capital, np.cumsum(np.log1p(stake * gains), axis=-1))
        capital -= math.log(len(_STAKES))
        least = sums + floors.sum(axis=-1, keepdims=True) - np.cumsum(floors, axis=-1)[..., :asked]
        return np.where(least > _CERTAIN, np.inf, capital)
