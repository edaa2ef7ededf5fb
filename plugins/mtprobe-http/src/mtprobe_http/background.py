"""Runs a coroutine on a thread and yields its results, which also works in notebooks."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Generator
from typing import TypeVar

T = TypeVar("T")

_LOOK_UP = 0.5  # seconds after which a waiting main thread checks for Ctrl-C


def delivered(work: Callable[[Callable[[T], None]], Awaitable[None]]) -> Generator[T, None, None]:
    """Yields what `work` delivers, then raises what it raises. Closing the generator cancels the work."""
    items: queue.SimpleQueue[tuple[T] | BaseException | None] = queue.SimpleQueue()
    running = _Running()

    async def run() -> None:
        running.loop, running.task = asyncio.get_running_loop(), asyncio.current_task()
        running.started.set()
        await work(lambda item: items.put((item,)))

    def thread() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:  # for the thread that waits
            items.put(error)
        else:
            items.put(None)
        finally:
            running.started.set()

    worker = threading.Thread(target=thread, name="mtprobe-http", daemon=True)
    worker.start()
    try:
        while True:
            try:
                item = items.get(timeout=_LOOK_UP)
            except queue.Empty:
                continue
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item[0]
    finally:
        running.cancel()
        worker.join()


class _Running:
    def __init__(self) -> None:
        self.started = threading.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.task: asyncio.Task[None] | None = None

    def cancel(self) -> None:
        self.started.wait()
        if self.loop is not None and self.task is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.task.cancel)
