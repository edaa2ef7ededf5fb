"""Handles Ctrl-C, SIGTERM and SIGHUP while suites run: stops at once and keeps finished work.

- Python handles a signal between two steps of the main thread. A main thread that loads a model, computes a batch or
  waits for a service would see it when that is over. So `Work` does what may take long on a thread of its own; the main
  thread only waits for it, and sees a signal at once.
- `Interrupts` turns SIGINT, SIGTERM, which CI runners send, and SIGHUP, which a closed terminal sends, into
  `KeyboardInterrupt` in the main thread, except where something must be finished first.
- Work that was interrupted is stopped in three ways: programs that it runs are killed, its progress refuses the next
  step, and an exception is raised in its thread (`PyThreadState_SetAsyncExc`), which reaches Python code at its next step.
- Code outside of Python, as in a library that computes, cannot be stopped. If its thread still runs at the end,
  `exit_if_abandoned` ends the process without waiting for it (`os._exit`).
- xdist's controller asks its workers to stop, gives them a moment to write their results, and kills what is left.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from types import FrameType
from typing import Any, TypeVar

from mtprobe.progress import Stopped
from mtprobe.system.deadline import abandoned_calls, raise_in
from mtprobe.system.programs import stop_programs

T = TypeVar("T")

# xdist's workers get Ctrl-C from the terminal and again from their controller: that is one interruption, not two.
_SAME_SECONDS = 0.5

_GRACE_SECONDS = 0.5  # for work that was stopped to end by itself
_ABANDONED_SECONDS = 0.05
_POLL_SECONDS = 0.2  # some systems deliver no signal to a waiting thread before its wait is over


class Interrupts:
    """Raises `KeyboardInterrupt` in the main thread; once the run is being finished, only where that is harmless."""

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._last = float("-inf")
        self._held = 0
        self._waiting = False  # one came while they were held

    def watch(self) -> None:
        """Sets the handlers, except where somebody else has set one or the signal is ignored."""
        if threading.current_thread() is not threading.main_thread():
            return
        hangup = [signal.SIGHUP] if os.name == "posix" else []
        for number in (signal.SIGINT, signal.SIGTERM, *hangup):
            usual = signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL
            if signal.getsignal(number) is usual:
                self._before[number] = signal.signal(number, self._handle)

    def leave(self) -> None:
        """Restores the handlers."""
        for number, handler in self._before.items():
            with suppress(ValueError):  # not the main thread any more
                signal.signal(number, handler)
        self._before = {}

    def hold(self) -> None:
        """From now on none is raised, except in `allowed`."""
        self._held += 1

    @contextmanager
    def held(self) -> Iterator[None]:
        """For what must not be torn apart: an interruption is raised after it."""
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
        """For what may be given up while the run is being finished."""
        held, self._held = self._held, 0
        try:
            yield
        finally:
            self._held = held

    def _handle(self, _signal: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        same, self._last = now - self._last < _SAME_SECONDS, now
        if same:
            return
        if self._held:
            self._waiting = True
            return
        raise KeyboardInterrupt


class _Task:
    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = self.work()
        except BaseException as error:  # raised in the thread that waits
            self.error = error
        self.done.set()


class Work:
    """Does one task after the other, always on the same thread, as SQLite requires."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._interrupted = False

    def do(self, work: Callable[[], T], stop: Callable[[], object] = lambda: None) -> T:
        """Returns or raises what `work` does. If the wait is interrupted, calls `stop` and abandons the work."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name="mtprobe-work", daemon=True)
            self._thread.start()
        task = _Task(work)
        self._tasks.put(task)
        try:
            while not task.done.wait(_POLL_SECONDS):
                pass
        except BaseException:
            self._interrupted = True
            stop()
            self._stop(task)
            raise
        if task.error is not None:
            raise task.error
        result: T = task.result
        return result

    @property
    def abandoned(self) -> bool:
        """Whether a task, or a call that it made, still runs after an interruption."""
        running = self._thread is not None and self._thread.is_alive()
        return running or (self._interrupted and abandoned_calls())

    def end(self) -> None:
        """To be called after the last task."""
        if self._thread is not None:
            self._tasks.put(None)
            self._thread.join(_ABANDONED_SECONDS if self._interrupted else None)

    def _loop(self) -> None:
        try:
            while (task := self._tasks.get()) is not None:
                task.run()
        except Stopped:  # arrived after the task that it was for
            pass

    def _stop(self, task: _Task) -> None:
        """Ends the work if that can be done in time; a second interruption does not wait for it."""
        stop_programs()
        deadline = time.monotonic() + _GRACE_SECONDS
        thread = self._thread
        if thread is not None and not task.done.is_set():
            raise_in(thread, Stopped)
        while time.monotonic() < deadline and not task.done.wait(_POLL_SECONDS):
            pass


def exit_if_abandoned(work: Work, status: int) -> None:
    """Python would wait for the thread, or tear it down in the middle of another library's work."""
    if work.abandoned:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def stop_processes(processes: Sequence[int]) -> None:
    """Asks them to stop."""
    for process in processes:
        _send(process, signal.SIGTERM)


def kill_processes(processes: Sequence[int]) -> None:
    """Kills processes that have not ended, because xdist would wait for them."""
    if os.name == "posix":
        for process in processes:
            _send(process, signal.SIGKILL)


def _send(process: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)
