"""SIGINT and SIGTERM while suites run: Ctrl-C, and what CI runners send, stop a run in the same way."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

# A terminal tells xdist's workers of Ctrl-C, and so does their controller: that is one interruption, not two.
_SAME = 0.5


class Interrupts:
    """Raises `KeyboardInterrupt` in the main thread; once the run is being finished, only where that is harmless."""

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._last = float("-inf")
        self._held = 0
        self._waiting = False  # one came while they were held

    def watch(self) -> None:
        """Handlers that somebody else has set are left alone, and so are signals that are ignored."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number, usual in (
            (signal.SIGINT, signal.default_int_handler),
            (signal.SIGTERM, signal.SIG_DFL),
        ):
            if signal.getsignal(number) is usual:
                self._before[number] = signal.signal(number, self._arrived)

    def leave(self) -> None:
        """As it was before."""
        for number, handler in self._before.items():
            with suppress(ValueError):  # not the main thread any more
                signal.signal(number, handler)
        self._before = {}

    def hold(self) -> None:
        """From now on none is raised, but in `allowed`."""
        self._held += 1

    @contextmanager
    def held(self) -> Iterator[None]:
        """What must not be torn: an interruption comes behind it."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
        if self._waiting and not self._held:
            self._waiting = False
            raise KeyboardInterrupt

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """What may be given up while the run is being finished."""
        held, self._held = self._held, 0
        try:
            yield
        finally:
            self._held = held

    def _arrived(self, _signal: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        same, self._last = now - self._last < _SAME, now
        if same:
            return
        if self._held:
            self._waiting = True
            return
        raise KeyboardInterrupt
