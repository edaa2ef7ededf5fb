"""Waiting for other processes: SQLite's lock on the store, and the lock on its folder while it is created or renamed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EAGAIN
from pathlib import Path

WAIT_SECONDS = 60.0  # others hold the lock for one transaction, which takes a fraction of a second
_IMPATIENT_SECONDS = 0.05  # SQLite itself takes a lock for a moment now and then
_LAST_SECONDS = 2.0  # at the end of a run
_PAUSE = 0.02


class Patience:
    """Waits once in full. A lock that was not released by then is not waited for again until it has been."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = WAIT_SECONDS if seconds is None else seconds
        self._lost = False

    @property
    def left(self) -> float:
        """Seconds to wait now."""
        return min(self.seconds, _IMPATIENT_SECONDS) if self._lost else self.seconds

    def lose(self) -> None:
        """The lock was waited for in vain."""
        self._lost = True

    def renew(self) -> None:
        """The lock was free."""
        self._lost = False

    def renew_at_the_end(self) -> None:
        """One more try, a short one if the lock was waited for before."""
        if self._lost:
            self.seconds, self._lost = min(self.seconds, _LAST_SECONDS), False


@contextmanager
def alone_in(folder: Path, patience: Patience) -> Iterator[None]:
    """One process at a time. The lock is released when its process ends. Without locks, as on Windows, this does nothing."""
    try:
        import fcntl

        descriptor = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        deadline = time.monotonic() + patience.left
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    patience.lose()
                    raise OSError(EAGAIN, f"another process keeps {folder} locked") from None
                time.sleep(_PAUSE)
                continue
            except OSError:  # a file system without locks
                pass
            break
        yield
    finally:
        os.close(descriptor)
