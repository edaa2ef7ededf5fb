"""The error of a sample that does not fit its suite."""

from __future__ import annotations


class Misfit(ValueError):
    """A sample that does not fit its suite: at which of its keys, and why."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key
