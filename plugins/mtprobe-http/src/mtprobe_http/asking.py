"""One request to a service, with retries and a deadline.

- `Busy`: all requests wait, as long as the service says or longer each time.
- `Broken`, `Unreachable`: tried `tries` times.

A fatal error stops everything, but requests in progress are still awaited, since they are paid for. So does
`deadline` seconds without a single good answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import tenacity

from mtprobe.backends import LOGGER, ModelError
from mtprobe_http.clock import Clock
from mtprobe_http.keys import scrubber_for
from mtprobe_http.limiter import Limiter
from mtprobe_http.problems import Broken, Busy, Problem, Unreachable
from mtprobe_http.service import Answer, Call, Service, in_short
from mtprobe_http.settings import Settings
from mtprobe_http.transport import Transport
from mtprobe_http.waiting import backoff, in_words, retry_after

_WORTH_SAYING = 5.0  # seconds of waiting for rate limits that are reported


class Stopped(Exception):
    """A fatal error has occurred in another request."""


class Asker:
    """Requests to one service that share its limits and its deadline."""

    results: ClassVar[str] = "translations"

    def __init__(self, service: Service, settings: Settings, clock: Clock) -> None:
        self._service, self._settings, self._clock = service, settings, clock
        self._limiter = Limiter(settings.limits, clock)
        self._scrubber = scrubber_for(service.keys)
        self._stop = asyncio.Event()
        self._first_sent: float | None = None
        self._last_good: float | None = None

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
                raise Stopped
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
            raise Stopped

    # -- messages --

    def _problem(self, answer: Answer) -> Exception:
        """The meaning of an unsuccessful response."""
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
        return f"finished {self.results} are stored, and the next run continues from there"


def _problem_of(state: tenacity.RetryCallState) -> Problem:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, Problem):
        raise TypeError(f"retried for {error!r}")
    return error
