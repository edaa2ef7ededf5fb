"""Workers on a cluster. Each has one shard at a time, to limit the loss if a worker dies.

A lost worker is replaced if there is room, and its shard is given to another. Workers are added as the cluster
grows, and get no shard before they have started.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtprobe.backends import LOGGER, ModelError, MtprobeError, Request
from mtprobe_ray.cluster import Cluster, Needs
from mtprobe_ray.lost import is_lost, own_error
from mtprobe_ray.shards import Shard
from mtprobe_ray.worker import Answer, Refusal, Target, Worker

TRIES = 3  # how often a shard is tried before its workers' deaths are blamed on it
_QUOTED = 8  # items of a shard that an error quotes
_MOMENT = 0.2  # seconds between checks for Ctrl-C
_RESIZE = 5.0  # seconds between checks of the cluster's size
_NOTIFY = 10.0  # seconds without a worker before the user is notified
_GIVE_UP = 300.0


@dataclass
class _Hired:
    """A worker, and what it will report next: that it has started, or its shard."""

    handle: Any
    reference: Any
    shard: Shard | None = None
    started: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """One kind of work on many items."""

    work: str  # translate, score or spans
    target: Target
    items: Sequence[Any]

    def items_of(self, shard: Shard) -> list[Any]:
        return [self.items[index] for index in shard.indices]

    def name(self, shard: Shard) -> str:
        """A shard as error messages name it: by its texts."""
        items = self.items_of(shard)
        more = f" and {len(items) - _QUOTED} more" if len(items) > _QUOTED else ""
        return ", ".join(f"“{_text(item)}”" for item in items[:_QUOTED]) + more


def _text(item: Request | str | tuple[str, str]) -> str:
    if isinstance(item, Request):
        return item.text
    return item if isinstance(item, str) else " → ".join(item)


class Pool:
    def __init__(self, cluster: Cluster, needs: Needs, limit: int | None) -> None:
        self._cluster, self._needs, self._limit = cluster, needs, limit
        self._hired: list[_Hired] = []
        self._room = 0
        self._resized = self._last_worker = self._notified = -1e9
        self._false_starts = 0

    def size(self) -> int:
        """How many workers there may be now."""
        now = time.monotonic()
        if now - self._resized > _RESIZE:
            self._room, self._resized = self._cluster.room(self._needs), now
            if not self._room and self._cluster.is_ours:
                raise MtprobeError(f"ray: this machine has no {self._needs}, which a worker needs")
        return min(self._room, self._limit or self._room)

    def processes(self) -> list[tuple[str, int]]:
        """Host and process of each worker that has started."""
        import ray

        processes: list[tuple[str, int]] = ray.get(
            [worker.handle.process.remote() for worker in self._hired if worker.started]
        )
        return processes

    def run(self, job: Job, shards: Sequence[Shard]) -> Generator[tuple[Shard, Answer], None, None]:
        """Each shard with its answer, as answers arrive. Closing the generator stops what is in progress."""
        waiting = deque(shards)
        lost: Counter[Shard] = Counter()
        self._last_worker = self._notified = time.monotonic()
        try:
            while waiting or any(worker.shard for worker in self._hired):
                self._hire(len(waiting) + sum(worker.shard is not None for worker in self._hired))
                self._hand_out(job, waiting)
                done = []
                for worker in self._arrived():
                    shard = worker.shard
                    answer = self._answer(worker, job, waiting, lost)
                    if shard is not None and answer is not None:
                        done.append((shard, answer))
                self._hand_out(job, waiting)  # before the caller takes its time over the answers
                yield from done
        finally:
            for worker in [worker for worker in self._hired if worker.shard is not None]:
                self._dismiss(worker)

    def close(self) -> None:
        for worker in list(self._hired):
            self._dismiss(worker)

    def _hire(self, shards: int) -> None:
        import ray

        actor = ray.remote(Worker)
        for _ in range(len(self._hired), min(self.size(), shards)):
            handle = actor.options(
                num_cpus=self._needs.cpus,
                num_gpus=self._needs.gpus,
                max_restarts=0,
                max_task_retries=0,
                scheduling_strategy="SPREAD",
            ).remote(str(Path.cwd()))
            self._hired.append(_Hired(handle, handle.process.remote()))

    def _hand_out(self, job: Job, waiting: deque[Shard]) -> None:
        for worker in self._hired:
            if waiting and worker.started and worker.shard is None:
                worker.shard = waiting.popleft()
                worker.reference = worker.handle.run.remote(job.work, job.target, job.items_of(worker.shard))

    def _arrived(self) -> list[_Hired]:
        """Workers that have answered; empty if nothing happened for a moment."""
        import ray

        by_reference = {
            worker.reference: worker for worker in self._hired if worker.shard or not worker.started
        }
        if not by_reference:
            self._wait_for_room()
            return []
        if any(worker.started for worker in self._hired):
            self._last_worker = time.monotonic()
        else:
            self._wait_for_room(0)
        ready, _ = ray.wait(list(by_reference), num_returns=len(by_reference), timeout=0)
        if not ready:
            ready, _ = ray.wait(list(by_reference), num_returns=1, timeout=_MOMENT)
        return [by_reference[reference] for reference in ready]

    def _wait_for_room(self, seconds: float = _MOMENT) -> None:
        """Waits for a worker; notifies the user if it takes long, and finally gives up."""
        time.sleep(seconds)
        now = time.monotonic()
        if now - self._last_worker > _GIVE_UP:
            raise MtprobeError(
                f"ray: the cluster had no room for a worker ({self._needs}) in {_GIVE_UP:.0f} s"
            )
        if now - max(self._last_worker, self._notified) > _NOTIFY:
            self._notified = now + 5 * _NOTIFY
            LOGGER.warning("ray: waiting for the cluster to have room for a worker (%s)", self._needs)

    def _answer(self, worker: _Hired, job: Job, waiting: deque[Shard], lost: Counter[Shard]) -> Answer | None:
        """A worker's answer; None if it has only just started, or was lost."""
        import ray

        shard, worker.shard = worker.shard, None
        try:
            answer = ray.get(worker.reference)
        except ray.exceptions.RayError as error:
            self._dismiss(worker)
            if not is_lost(error):
                raise own_error(error) from None
            if shard is None:
                self._false_start(error)
                return None
            lost[shard] += 1
            if lost[shard] >= TRIES:
                raise ModelError(
                    f"{job.target.recipe.spec.name}: workers died {TRIES} times on {job.name(shard)}: "
                    f"{_words(error)}"
                ) from None
            LOGGER.warning("ray: a worker was lost; others take over its sentences")
            waiting.appendleft(shard)
            return None
        if shard is None:
            worker.started, self._false_starts = True, 0
            return None
        if isinstance(answer, Refusal):
            raise answer.error()
        result: Answer = answer
        return result

    def _false_start(self, error: Exception) -> None:
        self._false_starts += 1
        if self._false_starts >= TRIES:
            raise MtprobeError(
                f"ray: workers cannot start; mtprobe and mtprobe-ray must be installed on every node: {_words(error)}"
            )

    def _dismiss(self, worker: _Hired) -> None:
        import ray

        self._hired.remove(worker)
        try:
            ray.kill(worker.handle)
        except (ray.exceptions.RayError, ValueError):
            return  # it is gone already, or the cluster is


def _words(error: Exception) -> str:
    """Ray's description of a loss, without its advice."""
    words = " ".join(str(error).split())
    return words.partition("Worker exit detail: ")[2].partition(" Some common causes")[0] or words[:300]
