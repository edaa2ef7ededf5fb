"""The folder of the cache of converted models, and its size limits."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mtprobe.engine.converted.manifest import MANIFEST, read_manifest
from mtprobe.errors import ModelError

VARIABLE = "MTPROBE_CACHE"  # a folder, or "off"
MOST_BYTES = 8 * 2**30
UNUSED_SECONDS = 30 * 86400.0  # older entries often belong to another version of mtprobe
IN_USE_SECONDS = 3600.0  # a run may still load graphs of an entry that it opened this long ago


@dataclass(frozen=True, slots=True)
class Entry:
    """A converted model in the cache."""

    path: Path
    size: int
    used: float  # seconds since the epoch

    @property
    def made_from(self) -> str:
        """The user's name of the model that was converted."""
        try:
            return read_manifest(self.path).made_from
        except ModelError:
            return "damaged; will be converted again when needed"


def cache_folder() -> Path | None:
    """The folder of converted models; None if the user has turned the cache off."""
    setting = os.environ.get(VARIABLE, "")
    if setting.lower() == "off":
        return None
    try:
        if setting:
            return Path(setting).expanduser() / "graphs"
        caches = os.environ.get("XDG_CACHE_HOME") or (os.name == "nt" and os.environ.get("LOCALAPPDATA"))
        return (Path(caches) if caches else Path.home() / ".cache") / "mtprobe" / "graphs"
    except RuntimeError:  # a user without a home
        return None


def entries(folder: Path) -> list[Entry]:
    """Complete entries, most recently used first."""
    complete = [entry for path in _folders(folder) if (entry := _entry(path)) is not None]
    return sorted(complete, key=lambda entry: -entry.used)


def make_room(folder: Path) -> None:
    """Removes old entries, unfinished ones, and the least recently used ones until the rest is within bounds."""
    total, now = 0, time.time()
    for entry in entries(folder):
        total += entry.size
        unused = now - entry.used
        if unused > UNUSED_SECONDS or (total > MOST_BYTES and unused > IN_USE_SECONDS):
            forget(entry.path)
    for path in folder.glob(".*.part"):
        with suppress(OSError):
            if now - path.stat().st_mtime > 24 * IN_USE_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def forget(path: Path) -> None:
    """Removes an entry: first atomically from the cache, then from the disk."""
    with suppress(OSError):
        removed = path.with_name(f".{path.name}.{os.getpid()}.part")
        path.rename(removed)
        shutil.rmtree(removed, ignore_errors=True)


def _folders(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (path for path in folder.iterdir() if not path.name.startswith("."))


def _entry(path: Path) -> Entry | None:
    try:
        sizes = [file.stat().st_size for file in path.iterdir()]
        return Entry(path, sum(sizes), (path / MANIFEST).stat().st_mtime)
    except OSError:  # not an entry, or just removed by another process
        return None
