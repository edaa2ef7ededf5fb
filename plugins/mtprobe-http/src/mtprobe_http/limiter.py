"""Rate limits: per second and per minute, and pauses requested by the service."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable

from mtprobe_http.clock import Clock
from mtprobe_http.service import Limits

_INSTANT = 1e-9  # seconds lost to rounding


class Window:
    """At most `limit` in any `seconds`. A single larger amount is admitted when the window is empty."""

    def __init__(self, limit: float, seconds: float) -> None:
        self.limit, self.seconds = limit, seconds
        self._taken: deque[tuple[float, float]] = deque()  # when, how much

    def wait(self, now: float, amount: float) -> float:
        """Seconds until there is room."""
        while self._taken and self._taken[0][0] + self.seconds <= now + _INSTANT:
            self._taken.popleft()
        used = sum(taken for _, taken in self._taken)
        free_at = now
        for when, taken in self._taken:
            if used + amount <= self.limit:
                break
            used -= taken
            free_at = when + self.seconds
        return free_at - now

    def take(self, now: float, amount: float) -> None:
        self._taken.append((now, amount))


class Limiter:
    """Admits requests as the limits allow."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        requests = ((limits.per_second, 1.0), (limits.per_minute, 60.0))
        self._requests = [_window(limit, seconds) for limit, seconds in requests if limit]
        self._characters = (
            [Window(limits.characters_per_minute, 60.0)] if limits.characters_per_minute else []
        )
        self._clock = clock
        self._paused_until = 0.0

    def pause(self, seconds: float) -> None:
        """Admits nothing for so long, as the service asked."""
        self._paused_until = max(self._paused_until, self._clock.now() + seconds)

    async def admit(
        self,
        characters: int,
        sleep: Callable[[float], Awaitable[None]],
        report: Callable[[float], None],
    ) -> None:
        """Waits for room, and takes it."""
        while True:
            now = self._clock.now()
            wait = max(
                [self._paused_until - now]
                + [window.wait(now, 1) for window in self._requests]
                + [window.wait(now, characters) for window in self._characters]
            )
            if wait <= _INSTANT:
                break
            report(wait)
            await sleep(wait)
        for window in self._requests:
            window.take(now, 1)
        for window in self._characters:
            window.take(now, characters)


def _window(limit: float, seconds: float) -> Window:
    """`per_second=0.5` is one request every two seconds."""
    return Window(limit, seconds) if limit >= 1 else Window(1, seconds / limit)
