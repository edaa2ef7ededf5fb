"""How many of each stratum are drawn."""

from __future__ import annotations

from collections.abc import Sequence

_POWER = 2 / 3
"""The limit of a stratum in which nothing is wrong is about 4 / labels; weighted with the stratum's size and added in
squares, the sum is smallest if labels are shared out like the sizes to the power of 2/3."""


def shared_out(total: int, sizes: Sequence[int]) -> list[int]:
    """A number for each stratum, together `total` or all there are; each that has samples gets at least one."""
    wanted = min(total, sum(sizes))
    shares = [size**_POWER for size in sizes]
    counts = [0] * len(sizes)
    for _ in range(wanted):
        open_strata = [number for number, size in enumerate(sizes) if counts[number] < size]
        # The one that is furthest behind its share; an empty one first.
        best = min(
            open_strata, key=lambda number: (counts[number] + 0.5 * (counts[number] > 0)) / shares[number]
        )
        counts[best] += 1
    return counts
