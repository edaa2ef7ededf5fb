"""A number with its interval and its n."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric's value; None if there was nothing to measure."""

    value: float | None
    low: float
    high: float
    n: int
    note: str = ""  # which group is the lowest, between which groups the gap is

    @classmethod
    def nothing(cls, note: str = "") -> Measure:
        return cls(None, 0.0, 1.0, 0, note)
