"""Progress of a verb, on standard error: a bar where that is a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mtprobe.progress import Progress, Silent

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress


def bar() -> Progress:
    """The progress that fits where standard error goes to."""
    return _Bar() if sys.stderr.isatty() else Silent()


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
