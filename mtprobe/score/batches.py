"""What runs together: each thing once, like lengths with like, and never more than fits.

A batch does not change a result, only its price; so the order in which things are run is free, and
`in_batches` gives the results back in the order of the things.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple, TypeVar

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")


class Size(NamedTuple):
    """Tokens of something to run; as a budget: the most tokens that a batch may have, its padding counted."""

    source: int
    target: int


def in_batches(
    items: Sequence[Item],
    size: Callable[[Item], Size],
    run: Callable[[Sequence[Item]], Sequence[Result]],
    budget: Size,
) -> list[Result]:
    """One result an item, in order. Equal items are run once; `run` gives one result an item it is given."""
    results: dict[Item, Result] = {}
    different = list(dict.fromkeys(items))
    for batch in batches([size(item) for item in different], budget):
        together = [different[index] for index in batch]
        results.update(zip(together, run(together), strict=True))
    return [results[item] for item in items]


def batches(sizes: Sequence[Size], budget: Size) -> Iterator[list[int]]:
    """The positions of the sizes, batch by batch, the longest first; one that exceeds the budget runs alone."""
    batch: list[int] = []
    longest = Size(0, 0)
    for index in sorted(
        range(len(sizes)), key=lambda index: (sizes[index].target, sizes[index].source), reverse=True
    ):
        grown = Size(*map(max, longest, sizes[index]))
        if batch and not _fits(grown, len(batch) + 1, budget):
            yield batch
            batch, grown = [], sizes[index]
        batch.append(index)
        longest = grown
    if batch:
        yield batch


def _fits(longest: Size, count: int, budget: Size) -> bool:
    return longest.source * count <= budget.source and longest.target * count <= budget.target
