"""Progress in pytest's terminal: a bar where there is a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from mtprobe.progress import Progress

if TYPE_CHECKING:
    import pytest
    from rich.progress import Progress as RichProgress

_SECONDS_A_LINE = 10.0


def progress_for(reporter: pytest.TerminalReporter) -> Progress:
    """The progress that fits where pytest writes to."""
    return Bar(reporter) if reporter.isatty else Lines(reporter)


class Bar:
    """A bar that goes away when its stage is done."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter
        self._bar: RichProgress | None = None

    def start(self, stage: str, total: int) -> None:
        if not total:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._reporter.ensure_newline()
        self._bar = RichProgress(
            TextColumn("mtprobe: {task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(file=sys.stdout),
            transient=True,
        )
        self._bar.start()
        self._bar.add_task(stage, total=total)

    def advance(self, steps: int) -> None:
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0], steps)

    def done(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


class Lines:
    """A line every few seconds, for logs."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter
        self._stage, self._total, self._steps = "", 0, 0
        self._next = 0.0

    def start(self, stage: str, total: int) -> None:
        self._stage, self._total, self._steps = stage, total, 0
        self._next = time.monotonic() + _SECONDS_A_LINE

    def advance(self, steps: int) -> None:
        self._steps += steps
        if time.monotonic() >= self._next and self._steps < self._total:
            self._next = time.monotonic() + _SECONDS_A_LINE
            self._reporter.ensure_newline()
            self._reporter.write_line(f"mtprobe: {self._stage} {self._steps:,} of {self._total:,}")

    def done(self) -> None: ...
