"""Converted models, kept for the next time: what is opened again is mapped from disk instead of converted.

An entry is known by the digest of the weights and by all else that decides what the graphs are, our own code
included. Nothing depends on the cache: where it cannot be read or written, models are converted.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from mtprobe import __version__
from mtprobe.engine.converted.files import written_whole
from mtprobe.engine.converted.manifest import FORMAT, MANIFEST, describe
from mtprobe.engine.converted.place import MOST_BYTES, cache_folder, forget, make_room
from mtprobe.engine.converted.read import open_saved
from mtprobe.engine.graphs.network import Parts
from mtprobe.errors import ModelError

# What turns weights into graphs. A change of any of it makes every entry one of the past.
_CODE = (
    "graphs/*.py",
    "runtime/*.py",
    "converted/*.py",
    "checkpoints/**/*.py",
    "build.py",
    "hf_network.py",
    "bergamot_model.py",
)

log = logging.getLogger("mtprobe")


def cached(key: str, made_from: str, build: Callable[[], Parts]) -> Parts:
    """The network that `build` makes, from the cache where it is there, and into it where it is not.

    `key` stands for all that the result depends on, but for the code; `made_from` is what a user calls it.
    """
    folder = cache_folder()
    if folder is None:
        return build()
    entry = folder / hashlib.sha256(f"{key} {code_digest()}".encode()).hexdigest()[:32]
    found = _read(entry)
    return found if found is not None else _write(entry, made_from, build())


def _read(entry: Path) -> Parts | None:
    if not entry.is_dir():
        return None
    try:
        parts = open_saved(entry).checked_parts()
        os.utime(entry / MANIFEST)
    except ModelError as error:
        log.warning("a converted model in the cache is damaged and made anew: %s", error)
        forget(entry)
        return None
    except OSError:  # a cache that may only be read has no dates of use
        return parts
    return parts


def _write(entry: Path, made_from: str, parts: Parts) -> Parts:
    from mtprobe.engine.converted.write import write_manifest, write_network

    try:
        with written_whole(entry) as folder:
            room = min(MOST_BYTES, shutil.disk_usage(folder).free // 2)  # others want to write, too
            files = write_network(parts, folder, room)
            write_manifest(describe(parts.facts, files, made_from), folder)
    except OSError as error:
        if not entry.is_dir():  # else another process was faster, and its entry is as good
            log.info("%s is not kept in the cache: %s", made_from, error)
            return parts
    make_room(entry.parent)
    try:
        return open_saved(entry).unchecked_parts()  # instead of building every graph a second time
    except ModelError:
        return parts


@functools.cache
def code_digest() -> str:
    """Stands for the code that makes graphs, so that nobody has to remember to raise a number."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(f"{__version__} {FORMAT}".encode())
    for path in sorted(path for pattern in _CODE for path in package.glob(pattern)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
