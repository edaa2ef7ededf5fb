"""Processes that share work across the cores."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any


def pool(processes: int, start: Callable[..., None], *given: Any) -> ProcessPoolExecutor:
    """Processes that each begin with `start(*given)`. They end with this one, however it ends.

    Spawned, not forked: a fork would copy the state of other threads in the middle of their work.
    """
    return ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin, initargs=(start, given))


def _begin(start: Callable[..., None], given: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    start(*given)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def interruption_waits() -> Iterator[None]:
    """Delays SIGINT until the end, and keeps it from processes that are started inside.

    A terminal interrupts all of them; only this process must react, and end the others. And some libraries cannot be
    interrupted in the middle of their work: an interrupted gzip file ends Python with an error of its own.
    """
    with _deferred(), _blocked():
        yield


@contextmanager
def _blocked() -> Iterator[None]:
    """For this thread, and for threads and processes that it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield  # on Windows, where it only costs a traceback
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _deferred() -> Iterator[None]:
    """For the main thread, which handles signals that any thread received."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if received:
            signal.raise_signal(signal.SIGINT)
