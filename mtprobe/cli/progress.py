"""Progress of a verb, on standard error: a bar where that is a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from mtprobe.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

_SECONDS_A_LINE = 10.0


def bar() -> Progress:
    """The progress that fits where standard error goes to."""
    return _Bar() if sys.stderr.isatty() else _Lines()


class _Bar:
    """A bar that goes away when its stage is done."""

    def __init__(self) -> None:
        self._bar: RichProgress | None = None

    def start(self, stage: str, total: int) -> None:
        if not total:
            return
        from rich.console import Console
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(console=Console(stderr=True), transient=True)
        self._bar.start()
        self._bar.add_task(stage, total=total)

    def advance(self, steps: int) -> None:
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0], steps)

    def done(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


class _Lines:
    """A line every few seconds, for logs."""

    def __init__(self) -> None:
        self._stage, self._total, self._steps, self._next = "", 0, 0, 0.0

    def start(self, stage: str, total: int) -> None:
        self._stage, self._total, self._steps = stage, total, 0
        self._next = time.monotonic() + _SECONDS_A_LINE

    def advance(self, steps: int) -> None:
        self._steps += steps
        if time.monotonic() >= self._next and self._steps < self._total:
            self._next = time.monotonic() + _SECONDS_A_LINE
            print(f"{self._stage}: {self._steps / self._total:.0%}", file=sys.stderr, flush=True)

    def done(self) -> None: ...
