"""Batches of distinct items of similar length, within a token budget.

Batching changes the cost of a result but not the result, so items run in any order; `in_batches` returns results
in the order of the items.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from mtprobe.engine.runtime.lanes import SINGLE_LANE, KeepGoing, Lanes, Share

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")


class Size(NamedTuple):
    """The tokens of an item; as a budget: the maximum tokens of a batch, padding included."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class _Group(Generic[Item]):
    """Items that are cheaper in one batch."""

    items: Sequence[Item]
    size: Size


def in_batches(
    items: Sequence[Item],
    size: Callable[[Item], Size],
    run: Callable[[Sequence[Item]], Sequence[Result]],
    budget: Size,
    *,
    together: Callable[[Item], Hashable] | None = None,
    lanes: Lanes = SINGLE_LANE,
) -> list[Result]:
    """One result per item, in order. Equal items are run once; `run` returns one result per item.

    Items with the same `together` key share a source and, as far as the budget allows, a batch.
    """
    groups = list(_groups(dict.fromkeys(items), size, budget, together))

    def run_share(share: Share, keep_going: KeepGoing) -> dict[Item, Result]:
        share_results: dict[Item, Result] = {}
        for batch in batches([groups[index].size for index in share], budget):
            if not keep_going():
                break
            members = [item for place in batch for item in groups[share[place]].items]
            share_results.update(zip(members, run(members), strict=True))
        return share_results

    results: dict[Item, Result] = {}
    for share_results in lanes.map(run_share, lanes.deal([sum(group.size) for group in groups])):
        results.update(share_results)
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
    by_key: dict[Hashable, list[Item]] = {}
    for item in items:
        by_key.setdefault(together(item), []).append(item)
    for members in by_key.values():
        group: list[Item] = []
        source = target = 0
        for item in members:
            item_size = size(item)
            if group and target + item_size.target > budget.target:
                yield _Group(group, Size(source, target))
                group, source, target = [], 0, 0
            group.append(item)
            source, target = max(source, item_size.source), target + item_size.target
        yield _Group(group, Size(source, target))


def batches(sizes: Sequence[Size], budget: Size) -> Iterator[list[int]]:
    """The indices of the sizes, batch by batch, longest first; an item that exceeds the budget runs alone."""
    batch: list[int] = []
    longest = Size(0, 0)
    for index in sorted(
        range(len(sizes)), key=lambda index: (sizes[index].target, sizes[index].source), reverse=True
    ):
        grown, count = Size(*map(max, longest, sizes[index])), len(batch) + 1
        if batch and (grown.source * count > budget.source or grown.target * count > budget.target):
            yield batch
            batch, grown = [], sizes[index]
        batch.append(index)
        longest = grown
    if batch:
        yield batch
