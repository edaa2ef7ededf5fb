"""A thread for what may take long, so that the main thread can leave at any moment.

A signal is seen by Python only between two of its own steps: a main thread that loads a model, computes a batch or waits
for a service would see Ctrl-C when that is over. One that merely waits for another thread sees it at once.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from mtprobe.runner import Stopped
from mtprobe.system.programs import stop_programs

T = TypeVar("T")

_GRACE = 0.5  # seconds in which work that was stopped may come to its end
_AT_ONCE = 0.05
_LOOK_UP = 0.2  # some systems tell a waiting thread of no signal before its wait is over


class _Task:
    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.over = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = self.work()
        except BaseException as error:  # it belongs to the thread that waits
            self.error = error
        self.over.set()


class Work:
    """Does one thing after the other, always on the same thread, as SQLite wants it."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._left = False  # something that is perhaps not done

    def do(self, work: Callable[[], T], stop: Callable[[], object] = lambda: None) -> T:
        """What `work` gives or raises. When the wait for it is interrupted, `stop` is called and the work left alone."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name="mtprobe-work", daemon=True)
            self._thread.start()
        task = _Task(work)
        self._tasks.put(task)
        try:
            while not task.over.wait(_LOOK_UP):
                pass
        except BaseException:
            self._left = True
            stop()
            self._stop(task)
            raise
        if task.error is not None:
            raise task.error
        result: T = task.result
        return result

    @property
    def abandoned(self) -> bool:
        """Whether something is still being done that nobody waits for."""
        return self._thread is not None and self._thread.is_alive()

    def end(self) -> None:
        """No more will be asked."""
        if self._thread is not None:
            self._tasks.put(None)
            self._thread.join(_AT_ONCE if self._left else None)

    def _loop(self) -> None:
        try:
            while (task := self._tasks.get()) is not None:
                task.run()
        except Stopped:  # came behind the end of the task that it was for
            pass

    def _stop(self, task: _Task) -> None:
        """Ends the work if that can be done in time; a second interruption does not wait for it."""
        stop_programs()
        until = time.monotonic() + _GRACE
        thread = self._thread
        if thread is not None and thread.ident is not None and not task.over.is_set():
            # Reaches Python code at its next step, and not what waits or computes outside of it.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident), ctypes.py_object(Stopped)
            )
        while time.monotonic() < until and not task.over.wait(_LOOK_UP):
            pass
