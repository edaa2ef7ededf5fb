"""What is sent together: things of like length, so that they make full batches, the longest first.

The longest last would leave one worker busy while the others are done.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

LEAST, MOST = 128, 4096  # tokens of a shard: full batches, and no more than some seconds of a model's time
A_WORKER = 4  # shards, at least: the more there are, the sooner all workers are done


@dataclass(frozen=True, slots=True)
class Shard:
    """The places of things that are sent together, and how many tokens they have."""

    places: tuple[int, ...]
    tokens: int


def shards(lengths: Sequence[int], workers: int, together: Sequence[Hashable] | None = None) -> list[Shard]:
    """Every place in one shard, the shards with the longest things first.

    Things with the same `together` (a source that they share) are in one shard, as far as it holds them.
    """
    size = min(MOST, max(LEAST, sum(lengths) // (A_WORKER * max(1, workers))))
    found: list[Shard] = []
    places: list[int] = []
    tokens = 0
    for group in _groups(lengths, together, size):
        more = sum(lengths[place] for place in group)
        if places and tokens + more > size:
            found.append(Shard(tuple(places), tokens))
            places, tokens = [], 0
        places += group
        tokens += more
    if places:
        found.append(Shard(tuple(places), tokens))
    return found


def _groups(lengths: Sequence[int], together: Sequence[Hashable] | None, size: int) -> list[list[int]]:
    """Places that belong together, none with more tokens than `size` if it can be; the longest thing's first."""
    alike: dict[Hashable, list[int]] = {}
    for place in range(len(lengths)):
        alike.setdefault(place if together is None else together[place], []).append(place)
    groups = [part for group in alike.values() for part in _parts(group, lengths, size)]
    return sorted(groups, key=lambda group: -max(lengths[place] for place in group))


def _parts(group: Sequence[int], lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    part: list[int] = []
    tokens = 0
    for place in group:
        if part and tokens + lengths[place] > size:
            yield part
            part, tokens = [], 0
        part.append(place)
        tokens += lengths[place]
    yield part
