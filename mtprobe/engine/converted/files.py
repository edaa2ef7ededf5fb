"""Folders that are written atomically, and files that are checked against their digests."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from mtprobe.engine.converted.manifest import WEIGHTS, Manifest, SavedFile
from mtprobe.errors import ModelError


@contextmanager
def written_atomically(target: Path) -> Iterator[Path]:
    """A temporary folder to write into, which becomes the target; an error leaves no trace."""
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        yield folder
        folder.chmod(0o777 & ~_umask())  # mkdtemp's folders are private
        if os.name == "nt" and target.is_dir():
            target.rmdir()  # elsewhere an empty folder is replaced
        folder.rename(target)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def describe_file(path: Path) -> SavedFile:
    return SavedFile(size=path.stat().st_size, sha256=_digest(path))


def check_files(folder: Path, manifest: Manifest) -> None:
    """Checks the size of every file and the content of all but the weights; raises `ModelError`."""
    for name, expected in manifest.files.items():
        path = folder / name
        try:
            size = path.stat().st_size
        except OSError:
            raise ModelError(
                f"{path}: the file is missing or cannot be read; export the model again"
            ) from None
        if size != expected.size:
            reason = "is it truncated?" if size < expected.size else "it was changed since"
            raise ModelError(f"{path}: has {size} bytes, but {expected.size} were written; {reason}")
        if name != WEIGHTS:
            _check_digest(path, expected)


def check_weights(folder: Path, manifest: Manifest) -> None:
    """Reads all weights; raises `ModelError` if they are not what was written."""
    _check_digest(folder / WEIGHTS, manifest.files[WEIGHTS])


def _check_digest(path: Path, expected: SavedFile) -> None:
    try:
        status = path.stat()
        digest = _digest_of_content(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    if digest != expected.sha256:
        raise ModelError(f"{path}: not what was written (its sha256 differs); export the model again")


@functools.cache
def _digest_of_content(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 - part of the cache key
    return _digest(path)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
