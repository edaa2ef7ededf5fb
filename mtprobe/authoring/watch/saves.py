"""Waits until files are saved, by polling, which works on every system and file server."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from pathlib import Path

_SETTLED = (
    0.15  # seconds without a change: editors write in several steps, or to another file that they rename
)
_COARSE = 20_000_000  # nanoseconds by which the clock of a file system may be late
_GONE = 3.0  # seconds: a file that an editor replaces is back sooner

Stamp = tuple[int, int, int] | None  # changes when a file is saved; None for one that does not exist


class Saves:
    """The files of a suite, as they were when they were last looked at."""

    def __init__(self) -> None:
        self._stamps: dict[Path, Stamp] = {}
        self._contents: dict[Path, str] = {}
        self._looked = 0  # when; nanoseconds since the epoch

    def are_new(self, paths: Iterable[Path]) -> bool:
        """Whether a file has other contents than last time; some editors write a file again without a change."""
        self._looked = time.time_ns()
        self._stamps, before = stamps_of(paths), self._contents
        self._contents = {path: _digest(path) for path in self._stamps}
        return any(before.get(path) != digest for path, digest in self._contents.items())

    def wait(self, paths: Iterable[Path], seconds: float) -> None:
        """Returns when one of the files is another than last time, and has settled. Looks every so many seconds."""
        for path in paths:
            if path not in self._stamps:  # the last look brought it up
                stamp = _stamp(path)
                saved_since = stamp is not None and stamp[0] >= self._looked - _COARSE
                self._stamps[path] = None if saved_since else stamp
                self._contents[path] = "" if saved_since else _digest(path)
        while (now := stamps_of(self._stamps)) == self._stamps:
            time.sleep(seconds)
        until = time.monotonic() + _GONE
        while True:
            time.sleep(_SETTLED)
            later = stamps_of(self._stamps)
            gone = any(later[path] is None and stamp is not None for path, stamp in self._stamps.items())
            if later == now and (not gone or time.monotonic() > until):
                return
            now = later


def stamps_of(paths: Iterable[Path]) -> dict[Path, Stamp]:
    return {path: _stamp(path) for path in paths}


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _digest(path: Path) -> str:
    """A digest of the file, or of the file names in a folder, without editors' own files."""
    try:
        if path.is_dir():
            names = (file.name for file in path.iterdir())
            return "\n".join(sorted(name for name in names if name[0] not in ".#" and name[-1] != "~"))
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
