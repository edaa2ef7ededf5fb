"""Gets many results from a service: a few requests at a time, each with several texts.

- `Busy`: all requests wait, as long as the service says or longer each time.
- `Broken`: tried `tries` times, then split in half, so that one bad sentence does not cost other results.
- `Refused`: split in half at once.
- `Unreachable`: tried `tries` times, then fatal.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from mtprobe.backends import Failure, ModelError
from mtprobe_http.asking import Asker, Stopped
from mtprobe_http.batches import Item
from mtprobe_http.clock import Clock
from mtprobe_http.problems import Broken, Busy, NotTheService, Problem, Refused, Unreachable
from mtprobe_http.service import Answer, Call, Service, in_short
from mtprobe_http.settings import Settings
from mtprobe_http.transport import Transport

Result = TypeVar("Result")

_ABSENT = (400, 404, 405, 501)  # statuses of an endpoint that not every server has
_REFUSED_ALONE = 3  # single sentences that may be refused before any gets its result


class Engine(Asker, Generic[Item, Result]):
    """One stream of texts through one service."""

    results = "translations"
    done = "translated"

    def __init__(self, service: Service, settings: Settings, clock: Clock) -> None:
        super().__init__(service, settings, clock)
        self._fatal: ModelError | None = None
        self._refused_alone = 0
        self.stated: set[str] = set()  # the models that answers name

    @abstractmethod
    def _call(self, batch: Sequence[Item]) -> Call:
        """The request for a batch."""

    @abstractmethod
    def _read(self, content: Any, batch: Sequence[Item], *, repeats_key: bool) -> list[Result | Failure]:
        """One result per item from the JSON of an answer; a `Broken` where there are not as many."""

    async def version(self) -> str:
        """The version that the service states, or an empty string."""
        call = self._service.version_call()
        if call is None:
            return ""
        async with Transport(self._service, self._settings) as transport:
            try:
                content = await self._ask(call, 0, transport, lambda answer: answer.json(), _ABSENT)
                return "" if content is None else in_short(self._service.read_version(content))
            except Problem as problem:
                raise self._fatal_error(problem) from None

    async def _work(
        self,
        waiting: Iterator[list[Item]],
        transport: Transport,
        deliver: Callable[[Mapping[int, Result | Failure]], None],
    ) -> None:
        """Delivers every result as soon as it arrives; a fatal error is kept for the end."""

        async def work() -> None:
            for batch in waiting:  # shared between the workers
                await self._batch(batch, transport, deliver)

        workers = [
            asyncio.create_task(self._guarded(work())) for _ in range(self._settings.limits.concurrency)
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()

    def _raise_fatal(self) -> None:
        if self._fatal is not None:
            raise self._fatal

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Stopped:
            pass
        except ModelError as error:
            self._fatal = self._fatal or error
            self._stop.set()

    async def _batch(
        self,
        batch: Sequence[Item],
        transport: Transport,
        deliver: Callable[[Mapping[int, Result | Failure]], None],
    ) -> None:
        began = self._clock.now()
        try:
            characters = sum(len(item.text) for item in batch)
            results: list[Result | Failure] = await self._ask(
                self._call(batch), characters, transport, lambda answer: self._read_stated(answer, batch)
            )
        except (Refused, Broken) as problem:
            if isinstance(problem, NotTheService) and self._last_good is None:
                raise self._fatal_error(problem, "is the address right? Set it with url=") from None
            if len(batch) > 1:
                half = len(batch) // 2
                await self._batch(batch[:half], transport, deliver)
                await self._batch(batch[half:], transport, deliver)
                return
            self._count_refusal(problem)
            deliver({batch[0].index: Failure(self._words(problem))})
        except Unreachable as problem:
            raise self._fatal_error(problem) from None
        except Busy as problem:
            if self._last_good is None or self._last_good < began:
                raise self._fatal_error(problem, self._kept()) from None
            deliver({item.index: Failure(self._words(problem)) for item in batch})
        else:
            deliver({item.index: result for item, result in zip(batch, results, strict=True)})

    def _read_stated(self, answer: Answer, batch: Sequence[Item]) -> list[Result | Failure]:
        content = answer.json()
        results = self._read(content, batch, repeats_key=answer.repeats_key)
        if stated := self._service.stated(content):
            self.stated.add(in_short(stated))
        return results

    def _count_refusal(self, problem: Problem) -> None:
        """If sentences are refused one by one before any got its result, the sentences are not the problem."""
        self._refused_alone += isinstance(problem, Refused)
        if self._last_good is None and self._refused_alone >= _REFUSED_ALONE:
            raise self._fatal_error(
                problem, f"every sentence was refused so far, {self._refused_alone} of them sent alone"
            )
