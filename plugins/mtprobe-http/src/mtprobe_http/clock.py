"""The clock, in one place for tests that must not wait."""

from __future__ import annotations

import asyncio
import random
import time


class Clock:
    """The real clock."""

    def now(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def today(self) -> float:
        """Seconds since 1970, to compare with the dates that servers write."""
        return time.time()

    def chance(self) -> float:
        """From 0 to 1: jitter, so that clients that failed together do not retry together."""
        return random.random()  # noqa: S311 - not for secrets

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
