"""Work that is divided among threads, each with a share of its own from end to end.

ONNX Runtime's own threads meet behind every node of a graph and wait for the slowest; lanes meet once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")
Share: TypeAlias = list[int]  # positions of things


@dataclass
class Lanes:
    count: int

    def deal(self, things: Sequence[tuple[Hashable, int]]) -> list[Share]:
        """Shares of about the same weight, none empty. A thing is a key and a weight; like keys stay together."""
        together: defaultdict[Hashable, Share] = defaultdict(list)
        for index, (key, _) in enumerate(things):
            together[key].append(index)
        shares: list[Share] = [[] for _ in range(self.count)]
        weights = [0] * self.count
        groups = [(sum(things[index][1] for index in group), group) for group in together.values()]
        for weight, group in sorted(groups, key=lambda pair: -pair[0]):
            lane = weights.index(min(weights))
            shares[lane] += group
            weights[lane] += weight
        return [share for share in shares if share]

    def map(self, run: Callable[[Share], Result], shares: Sequence[Share]) -> Iterable[tuple[Share, Result]]:
        """What `run` makes of each share."""
        if len(shares) == 1:
            return [(shares[0], run(shares[0]))]
        return zip(shares, self._pool.map(run, shares), strict=True)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.count, thread_name_prefix="mtprobe-lane")
