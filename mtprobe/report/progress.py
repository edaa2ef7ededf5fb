"""Progress display: a bar on a terminal, an occasional line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from mtprobe.printable import printable
from mtprobe.progress import Progress, Silent

if TYPE_CHECKING:
    import pytest
    from rich.progress import Progress as RichProgress

_SECONDS_PER_LINE = 10.0


def progress_for(reporter: pytest.TerminalReporter) -> Progress:
    """For pytest: in its own output, on separate lines."""

    def write(line: str) -> None:
        reporter.ensure_newline()
        reporter.write_line(line)

    return Bar(sys.stdout, reporter.ensure_newline) if reporter.isatty else Lines(write)


def progress_of_a_verb() -> Progress:
    """Progress for the command line, on standard error, separate from the verb's output."""
    stream = sys.stderr
    return Bar(stream) if stream.isatty() else Lines(lambda line: print(line, file=stream, flush=True))


class Bar:
    """A bar that disappears when its stage is done."""

    def __init__(self, stream: TextIO, before: Callable[[], object] = lambda: None) -> None:
        self._stream, self._before = stream, before
        self._bar: RichProgress | None = None

    def start(self, stage: str, total: int) -> None:
        if not total:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._before()
        self._bar = RichProgress(
            TextColumn("mtprobe: {task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(file=self._stream, markup=False, emoji=False),
            transient=True,
        )
        self._bar.start()
        self._bar.add_task(printable(stage), total=total)

    def advance(self, steps: int) -> None:
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0], steps)

    def done(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def note(self, text: str) -> None:
        if self._bar is not None:
            self._bar.console.print(_note(text), highlight=False, soft_wrap=True)
        else:
            self._before()
            print(_note(text), file=self._stream, flush=True)


class Lines:
    """A line every few seconds, for logs."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._stage, self._total, self._steps = "", 0, 0
        self._next = 0.0

    def start(self, stage: str, total: int) -> None:
        self._stage, self._total, self._steps = stage, total, 0
        self._next = time.monotonic() + _SECONDS_PER_LINE

    def advance(self, steps: int) -> None:
        self._steps += steps
        if time.monotonic() >= self._next and self._steps < self._total:
            self._next = time.monotonic() + _SECONDS_PER_LINE
            self._write(f"mtprobe: {printable(self._stage)} {self._steps:,} of {self._total:,}")

    def done(self) -> None: ...

    def note(self, text: str) -> None:
        self._write(_note(text))


class NotesOnly(Silent):
    """For quiet runs and xdist's workers: no progress, but notes go to standard error."""

    def note(self, text: str) -> None:
        print(_note(text), file=sys.stderr, flush=True)  # noqa: T201 - there is no reporter here


def _note(text: str) -> str:
    return f"mtprobe: {printable(text)}"
