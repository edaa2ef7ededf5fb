"""What a backend tells the user while it works, as that a service asked to wait: plain logging.

A backend logs to `LOGGER`, at INFO or above. Where mtprobe shows progress, the lines appear there; elsewhere
they go where the logging of the program goes, which for warnings is standard error unless it says otherwise.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOGGER = logging.getLogger("mtprobe")


class _Told(logging.Handler):
    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell(record.getMessage())


@contextmanager
def notices_to(tell: Callable[[str], None]) -> Iterator[None]:
    """Gives every notice to `tell` as well, until the end of the block."""
    handler, level = _Told(tell), LOGGER.level
    LOGGER.addHandler(handler)
    LOGGER.setLevel(min(level or logging.INFO, logging.INFO))
    try:
        yield
    finally:
        LOGGER.setLevel(level)
        LOGGER.removeHandler(handler)
