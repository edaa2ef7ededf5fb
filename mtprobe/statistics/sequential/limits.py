"""The interface of confidence sequences, and their limits."""

from __future__ import annotations

from typing import Protocol

from mtprobe.statistics.intervals import Interval

_STEPS = 9  # halvings of the range


class ConfidenceSequence(Protocol):
    """What the members processed so far show about a number over a whole population.

    A claim is false with a probability of at most `risk`, over all moments together.
    """

    @property
    def lowest(self) -> float:
        """The number is not below it, whatever the samples are."""

    @property
    def highest(self) -> float:
        """The number is not above it."""

    def shows_more(self, bound: float, risk: float) -> bool:
        """Whether the number is certain to be above the bound."""

    def shows_less(self, bound: float, risk: float) -> bool:
        """Whether the number is certain to be below the bound."""


def limits(sequence: ConfidenceSequence, risk: float) -> Interval:
    """The number is between these; each end is wrong with a probability of at most `risk`."""
    low, high = sequence.lowest, sequence.highest
    step = (high - low) / 2
    for _ in range(_STEPS):
        low += step * sequence.shows_more(low + step, risk)
        high -= step * sequence.shows_less(high - step, risk)
        step /= 2
    return low, high
