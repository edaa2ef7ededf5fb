"""Divides work among threads that each process their share from start to finish.

ONNX Runtime's own threads synchronise after every node of a graph; lanes synchronise once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")
Share: TypeAlias = list[int]  # indices of items
KeepGoing: TypeAlias = Callable[[], bool]


@dataclass
class Lanes:
    count: int

    def deal(self, weights: Sequence[int]) -> list[Share]:
        """Shares of about equal weight, none empty."""
        shares: list[Share] = [[] for _ in range(self.count)]
        loads = [0] * self.count
        for index in sorted(range(len(weights)), key=lambda index: -weights[index]):
            lane = loads.index(min(loads))
            shares[lane].append(index)
            loads[lane] += weights[index]
        return [share for share in shares if share]

    def map(self, run: Callable[[Share, KeepGoing], Result], shares: Sequence[Share]) -> list[Result]:
        """The results of `run` for each share.

        When a lane fails, or the user interrupts, the `KeepGoing` of the other lanes returns False.
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


SINGLE_LANE = Lanes(1)
