"""Progress of long tasks: reported by the stages, displayed by the caller.

What a backend has to say while it works (a service asked to wait, for example) is plain logging: it logs to
`LOGGER`, at INFO or above. Where mtprobe shows progress, these lines appear there; elsewhere they go where the
program's logging goes, which for warnings is standard error by default.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from mtprobe.printable import printable

LOGGER = logging.getLogger("mtprobe")
"""For messages to the user."""


class _Printable(logging.Filter):
    """Messages quote services and programs."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = printable(record.getMessage()), None
        return True


LOGGER.addFilter(_Printable())


class Stopped(BaseException):
    """The run was stopped; raised where the work is done, so no `except Exception` may swallow it."""


class Progress(Protocol):
    def start(self, stage: str, total: int) -> None:
        """A stage with this many steps begins."""

    def advance(self, steps: int) -> None:
        """This many more steps are done."""

    def done(self) -> None:
        """The stage is over."""

    def note(self, text: str) -> None:
        """Something that the user should see now, for example that a service asked to wait."""


class Silent:
    """For callers that do not look."""

    def start(self, stage: str, total: int) -> None: ...
    def advance(self, steps: int) -> None: ...
    def done(self) -> None: ...
    def note(self, text: str) -> None: ...


class _Notices(logging.Handler):
    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self._show = show

    def emit(self, record: logging.LogRecord) -> None:
        self._show(record.getMessage())


@contextmanager
def notices_to(show: Callable[[str], None]) -> Iterator[None]:
    """A context in which every notice is also passed to `show`."""
    handler, level = _Notices(show), LOGGER.level
    LOGGER.addHandler(handler)
    LOGGER.setLevel(min(level or logging.INFO, logging.INFO))
    try:
        yield
    finally:
        LOGGER.setLevel(level)
        LOGGER.removeHandler(handler)
