"""Opens untrusted files: regular files only, never FIFOs or devices."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def open_regular(path: Path) -> BufferedReader:
    """The file behind any symlinks, opened for reading; an `OSError` that names its kind if it is not regular."""
    try:
        _check(path.stat().st_mode)
        return open(path, "rb", opener=_opener)
    except ValueError:  # a NUL in the path
        raise OSError(errno.EINVAL, "not a file name") from None


def special_file(path: Path) -> str | None:
    """The kind of the path if it is neither a regular file nor a folder, such as `a FIFO`; otherwise None."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return None
    return None if stat.S_ISDIR(mode) else _other_kind(mode)


def _opener(path: str, flags: int) -> int:
    """Opens without waiting, and checks again: what a path names may have changed since."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        _check(os.fstat(descriptor).st_mode)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _check(mode: int) -> None:
    if kind := _other_kind(mode):
        raise OSError(errno.EINVAL, f"{kind}, not a regular file")


def _other_kind(mode: int) -> str | None:
    if stat.S_ISREG(mode):
        return None
    return next((name for matches, name in _KINDS if matches(mode)), "a special file")
