"""Calls of foreign code with a deadline. Python cannot cancel a call into another library, so a late call is abandoned."""

from __future__ import annotations

import ctypes
import threading
import time
import weakref
from collections.abc import Callable
from contextvars import Context, copy_context
from queue import SimpleQueue
from typing import Any

_POLL_SECONDS = 0.2  # some systems deliver no signal to a waiting thread before its wait is over

_ABANDONED: weakref.WeakSet[threading.Thread] = weakref.WeakSet()


class TimedOut(Exception):
    """A call took longer than it may, or was not made because an earlier one did."""


class _Call:
    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], context: Context) -> None:
        self._work = (function, arguments, context)
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        function, arguments, context = self._work
        try:
            self.result = context.run(function, *arguments)
        except BaseException as error:  # raised in the thread that waits
            self.error = error
        self.done.set()


class TimedCalls:
    """Makes one call after the other, always on the same thread, as libraries with state of their own may need.

    Nothing is called after a call that was abandoned: it may still be running. Without a deadline, calls are made on
    the caller's thread.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._abandoned = ""  # why nothing is called any more
        weakref.finalize(self, self._calls.put, None)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of the function, or its exception, or `TimedOut`."""
        if self.seconds is None:
            return function(*arguments)
        if self._abandoned:
            raise TimedOut(f"it {self._abandoned} before and is not called again")
        call = _Call(function, arguments, copy_context())
        thread = self._start()
        self._calls.put(call)
        try:
            in_time = _wait(call.done, self.seconds)
        except BaseException as error:
            self._abandon(thread, "was stopped", type(error))
            raise
        if not in_time:
            self._abandon(thread, f"took longer than {self.seconds:g} s", SystemExit)
            raise TimedOut(f"it {self._abandoned}")
        if call.error is not None:
            raise call.error
        return call.result

    def _start(self) -> threading.Thread:
        if self._thread is None:
            # A daemon, so that nothing waits for it when the process ends.
            self._thread = threading.Thread(
                target=_serve, args=(self._calls,), name="mtprobe-call", daemon=True
            )
            self._thread.start()
        return self._thread

    def _abandon(self, thread: threading.Thread, why: str, exception: type[BaseException]) -> None:
        self._abandoned = why
        _ABANDONED.add(thread)
        raise_in(thread, exception)
        self._calls.put(None)


def abandoned_calls() -> bool:
    """Whether a call still runs that nobody waits for."""
    return any(thread.is_alive() for thread in tuple(_ABANDONED))


def raise_in(thread: threading.Thread, exception: type[BaseException]) -> None:
    """Raises it in another thread, at the next step of its Python code; code outside of Python goes on."""
    if thread.ident is not None and thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(exception))


def _wait(done: threading.Event, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if done.wait(min(left, _POLL_SECONDS)):
            return True
    return done.is_set()


def _serve(calls: SimpleQueue[_Call | None]) -> None:
    """Holds no reference to its `TimedCalls`, so that it ends with it."""
    while (call := calls.get()) is not None:
        call.run()
        del call
