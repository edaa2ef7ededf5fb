"""Shards: items of similar length, for full batches, the longest first.

If the longest came last, one worker would still be busy while the others are done.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

LEAST, MOST = 128, 4096  # tokens per shard: full batches, but only a few seconds of work
PER_WORKER = 4  # shards, at least: the more there are, the sooner all workers are done


@dataclass(frozen=True, slots=True)
class Shard:
    """The indices of items that are sent together, and how many tokens these have."""

    indices: tuple[int, ...]
    tokens: int


def shards(lengths: Sequence[int], workers: int, together: Sequence[Hashable] | None = None) -> list[Shard]:
    """Every index in one shard, the shards with the longest items first.

    Items with the same `together` (a source that they share) are in one shard if they fit.
    """
    size = min(MOST, max(LEAST, sum(lengths) // (PER_WORKER * max(1, workers))))
    result: list[Shard] = []
    indices: list[int] = []
    tokens = 0
    for group in _groups(lengths, together, size):
        more = sum(lengths[index] for index in group)
        if indices and tokens + more > size:
            result.append(Shard(tuple(indices), tokens))
            indices, tokens = [], 0
        indices += group
        tokens += more
    if indices:
        result.append(Shard(tuple(indices), tokens))
    return result


def _groups(lengths: Sequence[int], together: Sequence[Hashable] | None, size: int) -> list[list[int]]:
    """Indices that belong together, split if they exceed `size` tokens; those of the longest item first."""
    shared: dict[Hashable, list[int]] = {}
    for index in range(len(lengths)):
        shared.setdefault(index if together is None else together[index], []).append(index)
    groups = [part for group in shared.values() for part in _parts(group, lengths, size)]
    return sorted(groups, key=lambda group: -max(lengths[index] for index in group))


def _parts(group: Sequence[int], lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    part: list[int] = []
    tokens = 0
    for index in group:
        if part and tokens + lengths[index] > size:
            yield part
            part, tokens = [], 0
        part.append(index)
        tokens += lengths[index]
    yield part
