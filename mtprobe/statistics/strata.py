"""Allocates samples to strata."""

from __future__ import annotations

from collections.abc import Callable, Sequence

# The limit of a stratum in which nothing is wrong is about 4 / labels; weighted with the stratum's size and added in
# squares, the sum is smallest if labels are shared out like the sizes to the power of 2/3.
_POWER = 2 / 3


def shared_out(total: int, sizes: Sequence[int]) -> list[int]:
    """A number for each stratum, together `total` or all there are; larger ones get more, and none gets nothing."""
    return _shared(total, sizes, lambda size: size**_POWER)


def shared_equally(total: int, sizes: Sequence[int]) -> list[int]:
    """The same number for each, as far as there are so many."""
    return _shared(total, sizes, lambda _: 1.0)


def _shared(total: int, sizes: Sequence[int], share_of: Callable[[int], float]) -> list[int]:
    """One after the other to the stratum that is furthest behind its share."""
    counts = [0] * len(sizes)
    for _ in range(min(total, sum(sizes))):
        incomplete = [number for number, size in enumerate(sizes) if counts[number] < size]
        behind = min(incomplete, key=lambda number: counts[number] / share_of(sizes[number]))
        counts[behind] += 1
    return counts
