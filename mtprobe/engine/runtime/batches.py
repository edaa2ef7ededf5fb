"""What runs together: each thing once, like lengths with like, and never more than fits.

A batch does not change a result, only its price; so the order in which things are run is free, and
`in_batches` gives the results back in the order of the things.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from mtprobe.engine.runtime.lanes import ALONE, Going, Lanes, Share

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")


class Size(NamedTuple):
    """Tokens of something to run; as a budget: the most tokens that a batch may have, its padding counted."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class _Group(Generic[Item]):
    """Items that are cheaper together."""

    items: Sequence[Item]
    size: Size


def in_batches(
    items: Sequence[Item],
    size: Callable[[Item], Size],
    run: Callable[[Sequence[Item]], Sequence[Result]],
    budget: Size,
    *,
    together: Callable[[Item], Hashable] | None = None,
    lanes: Lanes = ALONE,
) -> list[Result]:
    """One result an item, in order. Equal items are run once; `run` gives one result an item it is given.

    Items for which `together` gives the same share a source, and as far as the budget allows a batch.
    """
    groups = list(_groups(dict.fromkeys(items), size, budget, together))

    def run_share(share: Share, going: Going) -> dict[Item, Result]:
        found: dict[Item, Result] = {}
        for batch in batches([groups[index].size for index in share], budget):
            if not going():
                break
            some = [item for place in batch for item in groups[share[place]].items]
            found.update(zip(some, run(some), strict=True))
        return found

    results: dict[Item, Result] = {}
    for found in lanes.map(run_share, lanes.deal([sum(group.size) for group in groups])):
        results.update(found)
    return [results[item] for item in items]


def _groups(
    items: Iterable[Item],
    size: Callable[[Item], Size],
    budget: Size,
    together: Callable[[Item], Hashable] | None,
) -> Iterator[_Group[Item]]:
    if together is None:
        yield from (_Group((item,), size(item)) for item in items)
        return
    alike: dict[Hashable, list[Item]] = {}
    for item in items:
        alike.setdefault(together(item), []).append(item)
    for members in alike.values():
        group: list[Item] = []
        source = target = 0
        for item in members:
            one = size(item)
            if group and target + one.target > budget.target:
                yield _Group(group, Size(source, target))
                group, source, target = [], 0, 0
            group.append(item)
            source, target = max(source, one.source), target + one.target
        yield _Group(group, Size(source, target))


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
