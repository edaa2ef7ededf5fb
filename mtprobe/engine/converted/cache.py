"""A cache of converted models, which are memory-mapped from disk instead of being converted again.

The key of an entry is the digest of the weights and everything else that determines the graphs, our own code
included. The cache is optional: if it cannot be read or written, models are converted.
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
from mtprobe.engine.converted.cache_folder import MOST_BYTES, cache_folder, forget, make_room
from mtprobe.engine.converted.files import written_atomically
from mtprobe.engine.converted.manifest import FORMAT, MANIFEST, describe
from mtprobe.engine.converted.read import open_saved
from mtprobe.engine.graphs.definition import NetworkDefinition
from mtprobe.errors import ModelError

# The code that turns weights into graphs. Any change to it invalidates every entry.
_CODE = (
    "graphs/*.py",
    "runtime/*.py",
    "converted/*.py",
    "checkpoints/**/*.py",
    "build.py",
    "bergamot_network.py",
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
    from mtprobe.engine.converted.write import write_manifest, write_network

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
