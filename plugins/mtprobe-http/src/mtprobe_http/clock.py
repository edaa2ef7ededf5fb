"""Time, in one place, so that tests of waiting wait for nothing."""

from __future__ import annotations

import asyncio
import random
import time


class Clock:
    """The real one."""

    def now(self) -> float:
        """Seconds that only grow."""
        return time.monotonic()

    def today(self) -> float:
        """Seconds since 1970, to compare with the dates that servers write."""
        return time.time()

    def chance(self) -> float:
        """From 0 to 1: what keeps clients that failed together from coming back together."""
        return random.random()  # noqa: S311 - nothing secret hangs on it

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
