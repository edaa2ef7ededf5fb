"""Where the cache of converted models is on this disk, and how much of it there may be."""

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
UNUSED_SECONDS = 30 * 86400.0  # what nobody wanted for so long: often of an mtprobe that is gone
IN_USE_SECONDS = 3600.0  # a run may still load graphs that it has asked for so long ago


@dataclass(frozen=True, slots=True)
class Entry:
    """A converted model in the cache."""

    path: Path
    size: int
    used: float  # seconds since the epoch

    @property
    def made_from(self) -> str:
        """What was converted, as the user called it."""
        try:
            return read_manifest(self.path).made_from
        except ModelError:
            return "damaged; made anew when it is wanted"


def cache_folder() -> Path | None:
    """Where converted models are kept; None where the user wants none kept."""
    said = os.environ.get(VARIABLE, "")
    if said.lower() == "off":
        return None
    try:
        if said:
            return Path(said).expanduser() / "graphs"
        caches = os.environ.get("XDG_CACHE_HOME") or (os.name == "nt" and os.environ.get("LOCALAPPDATA"))
        return (Path(caches) if caches else Path.home() / ".cache") / "mtprobe" / "graphs"
    except RuntimeError:  # a user without a home
        return None


def entries(folder: Path) -> list[Entry]:
    """Whole entries, the one used last in front."""
    found = [entry for path in _folders(folder) if (entry := _entry(path)) is not None]
    return sorted(found, key=lambda entry: -entry.used)


def make_room(folder: Path) -> None:
    """Forgets what was not used for longest until the rest is within bounds, what is old, and what was never finished."""
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
    """Takes an entry away: at once for all who look for it, then from the disk."""
    with suppress(OSError):
        away = path.with_name(f".{path.name}.{os.getpid()}.part")
        path.rename(away)
        shutil.rmtree(away, ignore_errors=True)


def _folders(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (path for path in folder.iterdir() if not path.name.startswith("."))


def _entry(path: Path) -> Entry | None:
    try:
        sizes = [file.stat().st_size for file in path.iterdir()]
        return Entry(path, sum(sizes), (path / MANIFEST).stat().st_mtime)
    except OSError:  # not an entry, or just forgotten by another process
        return None
