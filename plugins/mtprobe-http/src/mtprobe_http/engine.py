"""Gets many translations from a service: a few requests at a time, with retries and a deadline.

- `Busy`: all requests wait, as long as the service says or longer each time.
- `Broken`: tried `tries` times, then split in half, so that one bad sentence does not cost other translations.
- `Refused`: split in half at once.
- `Unreachable`: tried `tries` times, then fatal.

A fatal error stops everything, but requests in progress are still awaited, since they are paid for. So does
`deadline` seconds without a single good answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import tenacity

from mtprobe.backends import HIDDEN, LOGGER, Failure, ModelError, Request, is_encodable
from mtprobe_http.batches import Text, batches, sort_out
from mtprobe_http.clock import Clock
from mtprobe_http.keys import scrubber_for
from mtprobe_http.limiter import Limiter
from mtprobe_http.problems import Broken, Busy, NotTheService, Problem, Refused, Unreachable
from mtprobe_http.service import Answer, Call, Service, in_short
from mtprobe_http.settings import Settings
from mtprobe_http.transport import Transport
from mtprobe_http.waiting import backoff, in_words, retry_after

Deliver: TypeAlias = Callable[[Mapping[int, str | Failure]], None]

_WORTH_SAYING = 5.0  # seconds of waiting for rate limits that are reported
_ABSENT = (400, 404, 405, 501)  # statuses of an endpoint that not every server has
_REPEATS_KEY = Failure("the answer repeated the API key")
_REFUSED_ALONE = 3  # single sentences that may be refused before any is translated


class _Stopped(Exception):
    """A fatal error has occurred in another request."""


class Engine:
    """One stream of sentences through one service."""

    def __init__(self, service: Service, settings: Settings, clock: Clock) -> None:
        self._service, self._settings, self._clock = service, settings, clock
        self._limiter = Limiter(settings.limits, clock)
        self._scrubber = scrubber_for(service.keys)
        self._stop = asyncio.Event()
        self._fatal: ModelError | None = None
        self._first_sent: float | None = None
        self._last_good: float | None = None
        self._refused_alone = 0
        self.stated: set[str] = set()  # the models that answers name

    async def translate(self, sources: Sequence[str | Request], deliver: Deliver) -> None:
        """Delivers every translation as soon as it arrives; raises a fatal error at the end."""
        texts, settled = sort_out(sources, self._settings.limits)
        if settled:
            deliver(settled)
        waiting = batches(texts, self._settings.limits)
        async with Transport(self._service, self._settings) as transport:

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
        if self._fatal is not None:
            raise self._fatal

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

    async def _guarded(self, work: Any) -> None:
        try:
            await work
        except _Stopped:
            pass
        except ModelError as error:
            self._fatal = self._fatal or error
            self._stop.set()

    async def _batch(self, batch: Sequence[Text], transport: Transport, deliver: Deliver) -> None:
        texts = [text.text for text in batch]
        began = self._clock.now()

        def read(answer: Answer) -> list[str | Failure]:
            content = answer.json()
            translations = self._service.read(content, texts)
            if stated := self._service.stated(content):
                self.stated.add(in_short(stated))
            return [
                _REPEATS_KEY if answer.repeats_key and _has_marker(text) else text for text in translations
            ]

        try:
            characters = sum(map(len, texts))
            call = self._service.call_again(texts, batch[0].repeat)
            translations = await self._ask(call, characters, transport, read)
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
            deliver({text.index: Failure(self._words(problem)) for text in batch})
        else:
            deliver({text.index: _checked(output) for text, output in zip(batch, translations, strict=True)})

    def _count_refusal(self, problem: Problem) -> None:
        """If sentences are refused one by one before any was translated, the sentences are not the problem."""
        self._refused_alone += isinstance(problem, Refused)
        if self._last_good is None and self._refused_alone >= _REFUSED_ALONE:
            raise self._fatal_error(
                problem, f"every sentence was refused so far, {self._refused_alone} of them sent alone"
            )

    # -- one request, with retries --

    async def _ask(
        self,
        call: Call,
        characters: int,
        transport: Transport,
        read: Callable[[Answer], Any],
        absent: Sequence[int] = (),
    ) -> Any:
        """The answer as `read` returns it; None for one of the statuses in `absent`."""
        began: float | None = None

        async def once() -> Any:
            nonlocal began
            await self._limiter.admit(characters, self._sleep, self._report_limit)
            if self._stop.is_set():
                raise _Stopped
            began = self._clock.now() if began is None else began
            self._first_sent = began if self._first_sent is None else self._first_sent
            answer = await transport.send(call)
            if answer.status in absent:
                return None
            if not 200 <= answer.status < 300:
                raise self._problem(answer)
            content = read(answer)
            self._last_good = self._clock.now()
            return content

        def is_over(state: tenacity.RetryCallState) -> bool:
            problem = _problem_of(state)
            self._check_alive(problem)
            wait = self._wait(state)
            if problem.retry_after is not None and wait > self._settings.deadline:
                raise self._fatal_error(
                    problem,
                    f"it asks to wait for {in_words(wait)}, longer than the deadline (deadline=); {self._kept()}",
                )
            if isinstance(problem, Busy):
                return self._clock.now() + wait - (began or 0.0) > self._settings.deadline
            return state.attempt_number >= self._settings.tries

        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type((Busy, Broken, Unreachable)),
            stop=is_over,
            wait=self._wait,
            before_sleep=self._report_retry,
            sleep=self._sleep,
            reraise=True,
        )
        return await retrying(once)

    def _check_alive(self, problem: Problem) -> None:
        since = self._first_sent if self._last_good is None else self._last_good
        silent = self._clock.now() - (since or 0.0)
        if silent >= self._settings.deadline:
            raise self._fatal_error(problem, f"no good answer for {in_words(silent)}; {self._kept()}")

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Decided once per try, since it is random."""
        problem = _problem_of(state)
        if problem.retry_after is None or problem.retry_after <= 0:
            problem.wait = problem.wait or backoff(state.attempt_number, self._clock.chance())
            return problem.wait
        return problem.retry_after

    def _report_retry(self, state: tenacity.RetryCallState) -> None:
        problem, wait = _problem_of(state), self._wait(state)
        if isinstance(problem, Busy):
            self._limiter.pause(wait)
        LOGGER.warning(
            "%s; again in %s (try %d)", self._words(problem), in_words(wait), state.attempt_number + 1
        )

    def _report_limit(self, seconds: float) -> None:
        if seconds >= _WORTH_SAYING:
            LOGGER.info("%s: waiting %s for the rate limit", self._service.kind, in_words(seconds))

    async def _sleep(self, seconds: float) -> None:
        """Sleeps; a fatal error elsewhere ends it."""
        nap = asyncio.ensure_future(self._clock.sleep(seconds))
        over = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait((nap, over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            nap.cancel()
            over.cancel()
        if self._stop.is_set():
            raise _Stopped

    # -- messages --

    def _problem(self, answer: Answer) -> Exception:
        """What an unsuccessful answer means."""
        try:
            message = self._service.explain(answer.json())
        except Broken:
            message = ""
        text = self._scrubber.scrub_message(message or answer.body.decode(errors="replace"))
        words = f"HTTP {answer.status}" + (f": {in_short(text)}" if text else "")
        problem = self._service.problem(answer.status, words)
        if isinstance(problem, Problem):
            problem.retry_after = retry_after(answer.headers.get("retry-after"), self._clock.today())
        return problem

    def _words(self, problem: Problem) -> str:
        return self._scrubber.scrub_message(f"{self._service.kind}: {problem.reason}")

    def _fatal_error(self, problem: Problem, more: str = "") -> ModelError:
        return ModelError(self._words(problem) + (f": {more}" if more else ""))

    def _kept(self) -> str:
        return "finished translations are stored, and the next run continues from there"


def _problem_of(state: tenacity.RetryCallState) -> Problem:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, Problem):
        raise TypeError(f"retried for {error!r}")
    return error


def _checked(text: str | Failure) -> str | Failure:
    """A translation that cannot be encoded is a failure."""
    if isinstance(text, str) and not is_encodable(text):
        return Failure("the service's answer contains a lone surrogate")
    return text


def _has_marker(text: str | Failure) -> bool:
    return isinstance(text, str) and HIDDEN in text
