"""Asks a service for many translations: a few requests at a time, again where that helps, and never for ever.

- `Busy`: waited for, all requests together, as long as the service says or longer each time.
- `Broken`: tried `tries` times, then in halves, so that one bad sentence costs nobody else's translation.
- `Refused`: in halves at once.
- `Unreachable`: tried `tries` times, then it concerns all.

What concerns all ends everything; requests that are under way then are still waited for, since they are paid.
It also ends when `deadline` seconds have passed without a single good answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import tenacity

from mtprobe.errors import Failure, ModelError
from mtprobe.progress import LOGGER
from mtprobe_http.batches import Text, batches, sort_out
from mtprobe_http.clock import Clock
from mtprobe_http.keys import scrubbed
from mtprobe_http.limiter import Limiter
from mtprobe_http.problems import Broken, Busy, NotTheService, Problem, Refused, Unreachable
from mtprobe_http.service import Answer, Call, Service, in_short
from mtprobe_http.settings import Settings
from mtprobe_http.transport import Transport
from mtprobe_http.waiting import backoff, in_words, retry_after

Deliver: TypeAlias = Callable[[Mapping[int, str | Failure]], None]

_WORTH_SAYING = 5.0  # seconds of waiting for our own limits
_ABSENT = (400, 404, 405, 501)  # of a question that not every server knows
_REFUSED_ALONE = 3  # single sentences that may be refused before the first is translated


class _Stopped(Exception):
    """Something that concerns all has happened meanwhile."""


class Engine:
    """One stream of sentences through one service."""

    def __init__(self, service: Service, settings: Settings, clock: Clock) -> None:
        self._service, self._settings, self._clock = service, settings, clock
        self._limiter = Limiter(settings.limits, clock)
        self._stop = asyncio.Event()
        self._fatal: ModelError | None = None
        self._first_sent: float | None = None
        self._last_good: float | None = None
        self._refused_alone = 0
        self.stated: set[str] = set()  # what answers said that made them

    async def translate(self, sources: Sequence[str], deliver: Deliver) -> None:
        """Hands over every translation as soon as it is there; raises what concerns all, at the end."""
        texts, settled = sort_out(sources, self._settings.limits)
        if settled:
            deliver(settled)
        waiting = batches(texts, self._settings.limits)
        async with Transport(self._service, self._settings) as transport:

            async def work() -> None:
                for batch in waiting:  # shared: each takes the next one
                    await self._batch(batch, transport, deliver)

            workers = [
                asyncio.create_task(self._guarded(work())) for _ in range(self._settings.limits.concurrency)
            ]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
        if self._fatal is not None:
            raise self._fatal

    async def version(self) -> str:
        """The version that the service states; empty where it states none."""
        call = self._service.version_call()
        if call is None:
            return ""
        async with Transport(self._service, self._settings) as transport:
            try:
                found = await self._ask(call, 0, transport, lambda answer: answer.json(), _ABSENT)
                return "" if found is None else in_short(self._service.read_version(found))
            except Problem as problem:
                raise self._for_all(problem) from None

    async def _guarded(self, work: Any) -> None:
        try:
            await work
        except _Stopped:
            pass
        except ModelError as error:
            self._fatal = self._fatal or error
            self._stop.set()

    async def _batch(self, batch: Sequence[Text], transport: Transport, deliver: Deliver) -> None:
        texts = [one.text for one in batch]
        began = self._clock.now()

        def understood(answer: Answer) -> list[str | Failure]:
            content = answer.json()
            made = self._service.read(content, texts)
            if stated := self._service.stated(content):
                self.stated.add(in_short(stated))
            return made

        try:
            characters = sum(map(len, texts))
            made = await self._ask(self._service.call(texts), characters, transport, understood)
        except (Refused, Broken) as problem:
            if isinstance(problem, NotTheService) and self._last_good is None:
                raise self._for_all(problem, "is the address right? It is said with url=") from None
            if len(batch) > 1:
                half = len(batch) // 2
                await self._batch(batch[:half], transport, deliver)
                await self._batch(batch[half:], transport, deliver)
                return
            self._count_refusal(problem)
            deliver({batch[0].place: Failure(self._words(problem))})
        except Unreachable as problem:
            raise self._for_all(problem) from None
        except Busy as problem:
            if self._last_good is None or self._last_good < began:
                raise self._for_all(problem, self._kept()) from None
            deliver({one.place: Failure(self._words(problem)) for one in batch})
        else:
            deliver({one.place: _clean(text) for one, text in zip(batch, made, strict=True)})

    def _count_refusal(self, problem: Problem) -> None:
        """Sentences that are refused one by one, before any was translated, are not the sentences' fault."""
        self._refused_alone += isinstance(problem, Refused)
        if self._last_good is None and self._refused_alone >= _REFUSED_ALONE:
            raise self._for_all(
                problem, f"so far every sentence was refused, {self._refused_alone} of them alone"
            )

    # -- one request, with its tries --

    async def _ask(
        self,
        call: Call,
        characters: int,
        transport: Transport,
        understood: Callable[[Answer], Any],
        absent: Sequence[int] = (),
    ) -> Any:
        """What is understood of the answer; None for a status that says there is nothing to ask."""
        began: float | None = None

        async def once() -> Any:
            nonlocal began
            await self._limiter.admit(characters, self._sleep, self._say_limited)
            if self._stop.is_set():
                raise _Stopped
            began = self._clock.now() if began is None else began
            self._first_sent = began if self._first_sent is None else self._first_sent
            answer = await transport.send(call)
            if answer.status in absent:
                return None
            if not 200 <= answer.status < 300:
                raise self._problem(answer)
            made = understood(answer)
            self._last_good = self._clock.now()
            return made

        def is_over(state: tenacity.RetryCallState) -> bool:
            problem = _problem_of(state)
            self._check_alive(problem)
            wait = self._wait(state)
            if problem.retry_after is not None and wait > self._settings.deadline:
                raise self._for_all(
                    problem,
                    f"it asks to wait {in_words(wait)}, longer than the deadline (deadline=); {self._kept()}",
                )
            if isinstance(problem, Busy):
                return self._clock.now() + wait - (began or 0.0) > self._settings.deadline
            return state.attempt_number >= self._settings.tries

        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type((Busy, Broken, Unreachable)),
            stop=is_over,
            wait=self._wait,
            before_sleep=self._say_again,
            sleep=self._sleep,
            reraise=True,
        )
        return await retrying(once)

    def _check_alive(self, problem: Problem) -> None:
        since = self._first_sent if self._last_good is None else self._last_good
        silent = self._clock.now() - (since or 0.0)
        if silent >= self._settings.deadline:
            raise self._for_all(problem, f"no good answer for {in_words(silent)}; {self._kept()}")

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Decided once a try, since chance has its part in it."""
        problem = _problem_of(state)
        if problem.retry_after is None or problem.retry_after <= 0:
            problem.wait = problem.wait or backoff(state.attempt_number, self._clock.chance())
            return problem.wait
        return problem.retry_after

    def _say_again(self, state: tenacity.RetryCallState) -> None:
        problem, wait = _problem_of(state), self._wait(state)
        if isinstance(problem, Busy):
            self._limiter.pause(wait)
        LOGGER.warning(
            "%s; again in %s (try %d)", self._words(problem), in_words(wait), state.attempt_number + 1
        )

    def _say_limited(self, seconds: float) -> None:
        if seconds >= _WORTH_SAYING:
            LOGGER.info("%s: waiting %s to keep to the limits", self._service.kind, in_words(seconds))

    async def _sleep(self, seconds: float) -> None:
        """Sleeps, unless it is all over meanwhile."""
        nap = asyncio.ensure_future(self._clock.sleep(seconds))
        over = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait((nap, over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            nap.cancel()
            over.cancel()
        if self._stop.is_set():
            raise _Stopped

    # -- words --

    def _problem(self, answer: Answer) -> Exception:
        """What an answer that is no success means."""
        try:
            said = self._service.explain(answer.json())
        except Broken:
            said = ""
        words = f"HTTP {answer.status}" + (
            f": {in_short(said or answer.body)}" if said or answer.body else ""
        )
        problem = self._service.problem(answer.status, scrubbed(words, self._service.keys))
        if isinstance(problem, Problem):
            problem.retry_after = retry_after(answer.headers.get("retry-after"), self._clock.today())
        return problem

    def _words(self, problem: Problem) -> str:
        return scrubbed(f"{self._service.kind}: {problem.reason}", self._service.keys)

    def _for_all(self, problem: Problem, more: str = "") -> ModelError:
        return ModelError(self._words(problem) + (f": {more}" if more else ""))

    def _kept(self) -> str:
        return "what was translated is kept, and the next run goes on from there"


def _problem_of(state: tenacity.RetryCallState) -> Problem:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, Problem):
        raise TypeError(f"tried again for {error!r}")
    return error


def _clean(text: str | Failure) -> str | Failure:
    """A translation that cannot be written to any file is none."""
    if isinstance(text, str):
        try:
            text.encode()
        except UnicodeEncodeError:
            return Failure("the service answered with half a character (a lone surrogate)")
    return text
