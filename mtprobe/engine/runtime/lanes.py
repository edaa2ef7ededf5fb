"""Work that is divided among threads, each with a share of its own from end to end.

ONNX Runtime's own threads meet behind every node of a graph and wait for the slowest; lanes meet once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")
Share: TypeAlias = list[int]  # positions of things
Going: TypeAlias = Callable[[], bool]


@dataclass
class Lanes:
    count: int

    def deal(self, weights: Sequence[int]) -> list[Share]:
        """Shares of about the same weight, none empty."""
        shares: list[Share] = [[] for _ in range(self.count)]
        loads = [0] * self.count
        for index in sorted(range(len(weights)), key=lambda index: -weights[index]):
            lane = loads.index(min(loads))
            shares[lane].append(index)
            loads[lane] += weights[index]
        return [share for share in shares if share]

    def map(self, run: Callable[[Share, Going], Result], shares: Sequence[Share]) -> list[Result]:
        """What `run` makes of each share.

        When one lane fails, or the user interrupts, the others are told by `going`, and end early.
        """
        if len(shares) <= 1:
            return [run(share, lambda: True) for share in shares]
        stopped = Event()

        def watched(share: Share) -> Result:
            try:
                return run(share, lambda: not stopped.is_set())
            except BaseException:
                stopped.set()
                raise

        try:
            return list(self._pool.map(watched, shares))
        finally:
            stopped.set()

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.count, thread_name_prefix="mtprobe-lane")


ALONE = Lanes(1)
