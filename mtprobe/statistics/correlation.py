"""Pearson's correlation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mtprobe.statistics.intervals import z_of
from mtprobe.statistics.measure import Measure


def pearson(first: Sequence[float], second: Sequence[float], level: float = 0.95) -> Measure:
    """Pearson's r of paired values, −1 to 1, with Fisher's interval; no value if all values of a side are equal."""
    n = len(first)
    if n < 2 or any(len(set(side)) < 2 for side in (first, second)):
        return Measure(None, -1.0, 1.0, n, "a correlation needs two different values")
    r = float(np.clip(np.corrcoef(first, second)[0, 1], -1, 1))
    if n < 4 or abs(r) == 1:  # so few pairs show nothing of how far r may be off
        return Measure(r, -1.0, 1.0, n)
    half = z_of(level) / math.sqrt(n - 3)
    return Measure(r, math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half), n)
