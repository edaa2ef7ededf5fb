"""Minimum accuracy: the lowest category's. A model is as good as it is to those whom it serves worst."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask
from mtprobe.statistics.measure import Measure


def minimum(
    measure: Callable[[Tally, Mask, float], Measure],
    tally: Tally,
    categories: Sequence[str],
    level: float = 0.95,
) -> Measure:
    """The lowest category's value.

    Its interval is made so that a bound is passed for sure when every category passes it for sure, and
    failed for sure when any category does.
    """
    found = {category: measure(tally, tally.where(category, ()), level) for category in categories}
    for category, one in found.items():
        if one.value is None:
            return Measure.nothing(f"no decided sample of category {category}")
    lowest = min(found, key=lambda category: found[category].value or 0.0)
    return Measure(
        found[lowest].value,
        min(one.low for one in found.values()),
        min(one.high for one in found.values()),
        sum(one.n for one in found.values()),
        lowest,
    )
