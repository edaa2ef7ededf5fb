"""A cache of converted models, memory-mapped from disk instead of converted again.

The key of an entry is the digest of the weights and everything else that determines the graphs, our own code
included. The cache is optional: if it cannot be read or written, models are converted.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mtprobe import __version__
from mtprobe.engine.converted.manifest import FORMAT, MANIFEST, describe, read_manifest
from mtprobe.engine.converted.read import open_saved
from mtprobe.engine.graphs.definition import NetworkDefinition
from mtprobe.errors import ModelError

VARIABLE = "MTPROBE_CACHE"  # a folder, or "off"
MOST_BYTES = 8 * 2**30
UNUSED_SECONDS = 30 * 86400.0  # older entries often belong to another version of mtprobe
IN_USE_SECONDS = 3600.0  # a run may still load graphs of an entry that it opened this long ago

# The code that turns weights into graphs. Any change to it invalidates every entry.
_CODE = (
    "graphs/*.py",
    "runtime/**/*.py",
    "converted/*.py",
    "checkpoints/**/*.py",
    "build.py",
)

log = logging.getLogger("mtprobe")


def cached(key: str, made_from: str, build: Callable[[], NetworkDefinition]) -> NetworkDefinition:
    """The network from the cache, or else the result of `build`, which is then cached.

    `key` identifies all inputs of `build` except the code; `made_from` is the user's name of the model.
    """
    folder = cache_folder()
    if folder is None:
        return build()
    entry = folder / hashlib.sha256(f"{key} {code_digest()}".encode()).hexdigest()[:32]
    network = _read(entry)
    return network if network is not None else _write(entry, made_from, build())


def _read(entry: Path) -> NetworkDefinition | None:
    if not entry.is_dir():
        return None
    try:
        network = open_saved(entry).checked_network()
        os.utime(entry / MANIFEST)
    except ModelError as error:
        log.warning("a converted model in the cache is damaged and will be converted again: %s", error)
        forget(entry)
        return None
    except OSError:  # a read-only cache does not record when entries are used
        return network
    return network


def _write(entry: Path, made_from: str, network: NetworkDefinition) -> NetworkDefinition:
    from mtprobe.engine.converted.write import write_manifest, write_network, written_atomically

    try:
        with written_atomically(entry) as folder:
            room = min(MOST_BYTES, shutil.disk_usage(folder).free // 2)  # leave space for others
            files = write_network(network, folder, room)
            write_manifest(describe(network.dimensions, files, made_from), folder)
    except OSError as error:
        if not entry.is_dir():  # otherwise another process was faster, and its entry is as good
            log.info("%s is not cached: %s", made_from, error)
            return network
    make_room(entry.parent)
    try:
        return open_saved(entry).unchecked_network()  # instead of building every graph a second time
    except ModelError:
        return network


@functools.cache
def code_digest() -> str:
    """Identifies the code that builds graphs, so that no version number has to be raised by hand."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(f"{__version__} {FORMAT}".encode())
    for path in sorted(path for pattern in _CODE for path in package.glob(pattern)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


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
