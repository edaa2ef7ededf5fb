"""Workers on a cluster, and what they have in hand: one shard each, so that little is lost with a worker.

A worker that is gone is replaced where there is room, and its shard is given to another. Workers are asked for
as the cluster grows, and hold no shard before they have started.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtprobe.errors import ModelError, MtprobeError
from mtprobe.progress import LOGGER
from mtprobe_ray.cluster import Cluster, Needs
from mtprobe_ray.lost import is_lost, own_error
from mtprobe_ray.shards import Shard
from mtprobe_ray.worker import Answer, Asked, Refusal, Worker

TRIES = 3  # workers that a shard may take with it
_NAMED = 8  # things of a shard that an error repeats
_MOMENT = 0.2  # seconds of waiting, after which an interruption is seen
_LOOK = 5.0  # seconds between two looks at the size of the cluster
_TELL = 10.0  # seconds without a worker, after which the user is told
_GIVE_UP = 300.0


@dataclass
class _Held:
    """A worker, and what it will answer next: that it has started, or its shard."""

    handle: Any
    reference: Any
    shard: Shard | None = None
    started: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done to things that are sent."""

    work: str  # translate, score or spans
    asked: Asked
    things: Sequence[Any]

    def things_of(self, shard: Shard) -> list[Any]:
        return [self.things[place] for place in shard.places]

    def name(self, shard: Shard) -> str:
        """A shard as the user knows it: by what it holds."""
        things = self.things_of(shard)
        texts = [one if isinstance(one, str) else " → ".join(one) for one in things[:_NAMED]]
        more = f" and {len(things) - _NAMED} more" if len(things) > _NAMED else ""
        return ", ".join(f"“{text}”" for text in texts) + more


class Pool:
    def __init__(self, cluster: Cluster, needs: Needs, most: int | None) -> None:
        self._cluster, self._needs, self._most = cluster, needs, most
        self._held: list[_Held] = []
        self._room = 0
        self._looked = self._had_one = self._told = -1e9
        self._false_starts = 0

    def size(self) -> int:
        """How many workers there may be now."""
        now = time.monotonic()
        if now - self._looked > _LOOK:
            self._room, self._looked = self._cluster.room(self._needs), now
            if not self._room and self._cluster.is_ours:
                raise MtprobeError(f"ray: this machine has no {self._needs}, which a worker needs")
        return min(self._room, self._most or self._room)

    def processes(self) -> list[tuple[str, int]]:
        """Host and process of each worker that has started."""
        import ray

        found: list[tuple[str, int]] = ray.get(
            [held.handle.process.remote() for held in self._held if held.started]
        )
        return found

    def run(self, job: Job, shards: Sequence[Shard]) -> Generator[tuple[Shard, Answer], None, None]:
        """What becomes of each shard, as it arrives. Left early, it stops what is under way."""
        waiting = deque(shards)
        lost: Counter[Shard] = Counter()
        self._had_one = self._told = time.monotonic()
        try:
            while waiting or any(held.shard for held in self._held):
                self._hire(len(waiting) + sum(held.shard is not None for held in self._held))
                self._hand_out(job, waiting)
                done = []
                for held in self._arrived():
                    shard = held.shard
                    answer = self._answer(held, job, waiting, lost)
                    if shard is not None and answer is not None:
                        done.append((shard, answer))
                self._hand_out(job, waiting)  # before the caller takes its time with what is there
                yield from done
        finally:
            for held in [held for held in self._held if held.shard is not None]:
                self._dismiss(held)

    def close(self) -> None:
        for held in list(self._held):
            self._dismiss(held)

    def _hire(self, shards: int) -> None:
        import ray

        actor = ray.remote(Worker)
        for _ in range(len(self._held), min(self.size(), shards)):
            handle = actor.options(
                num_cpus=self._needs.cpus,
                num_gpus=self._needs.gpus,
                max_restarts=0,
                max_task_retries=0,
                scheduling_strategy="SPREAD",
            ).remote(str(Path.cwd()))
            self._held.append(_Held(handle, handle.process.remote()))

    def _hand_out(self, job: Job, waiting: deque[Shard]) -> None:
        for held in self._held:
            if waiting and held.started and held.shard is None:
                held.shard = waiting.popleft()
                held.reference = held.handle.run.remote(job.work, job.asked, job.things_of(held.shard))

    def _arrived(self) -> list[_Held]:
        """Workers with an answer; none where nothing happened for a moment."""
        import ray

        by_reference = {held.reference: held for held in self._held if held.shard or not held.started}
        if not by_reference:
            self._be_patient()
            return []
        if any(held.started for held in self._held):
            self._had_one = time.monotonic()
        else:
            self._be_patient(0)
        ready, _ = ray.wait(list(by_reference), num_returns=len(by_reference), timeout=0)
        if not ready:
            ready, _ = ray.wait(list(by_reference), num_returns=1, timeout=_MOMENT)
        return [by_reference[reference] for reference in ready]

    def _be_patient(self, seconds: float = _MOMENT) -> None:
        """Waits for a worker, says so when it takes long, and not for ever."""
        time.sleep(seconds)
        now = time.monotonic()
        if now - self._had_one > _GIVE_UP:
            raise MtprobeError(
                f"ray: the cluster had no room for a worker ({self._needs}) in {_GIVE_UP:.0f} s"
            )
        if now - max(self._had_one, self._told) > _TELL:
            self._told = now + 5 * _TELL
            LOGGER.warning("ray: waiting for the cluster to have room for a worker (%s)", self._needs)

    def _answer(self, held: _Held, job: Job, waiting: deque[Shard], lost: Counter[Shard]) -> Answer | None:
        """What a worker has made; None where it has only started, or is gone."""
        import ray

        shard, held.shard = held.shard, None
        try:
            answer = ray.get(held.reference)
        except ray.exceptions.RayError as error:
            self._dismiss(held)
            if not is_lost(error):
                raise own_error(error) from None
            if shard is None:
                self._false_start(error)
                return None
            lost[shard] += 1
            if lost[shard] >= TRIES:
                raise ModelError(
                    f"{job.asked.recipe.spec.name}: the worker died {TRIES} times over {job.name(shard)}: "
                    f"{_words(error)}"
                ) from None
            LOGGER.warning("ray: a worker was lost, and others go on with what it had in hand")
            waiting.appendleft(shard)
            return None
        if shard is None:
            held.started, self._false_starts = True, 0
            return None
        if isinstance(answer, Refusal):
            raise answer.error()
        found: Answer = answer
        return found

    def _false_start(self, error: Exception) -> None:
        self._false_starts += 1
        if self._false_starts >= TRIES:
            raise MtprobeError(
                f"ray: workers cannot start; mtprobe and mtprobe-ray must be installed on every node: {_words(error)}"
            )

    def _dismiss(self, held: _Held) -> None:
        import ray

        self._held.remove(held)
        try:
            ray.kill(held.handle)
        except (ray.exceptions.RayError, ValueError):
            return  # gone already, or the cluster is


def _words(error: Exception) -> str:
    """What Ray says of a loss, without its advice."""
    words = " ".join(str(error).split())
    return words.partition("Worker exit detail: ")[2].partition(" Some common causes")[0] or words[:300]
