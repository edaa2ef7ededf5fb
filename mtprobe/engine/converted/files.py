"""Files that are written whole or not at all, and are what their digests say."""

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
def written_whole(target: Path) -> Iterator[Path]:
    """A folder to write into; in the end it becomes the target, and without a trace none in case of an error."""
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        yield folder
        folder.chmod(0o777 & ~_umask())  # mkdtemp's folders are for one user alone
        if os.name == "nt" and target.is_dir():
            target.rmdir()  # elsewhere an empty folder is replaced
        folder.rename(target)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def known_file(path: Path) -> SavedFile:
    return SavedFile(size=path.stat().st_size, sha256=_digest(path))


def check_files(folder: Path, manifest: Manifest) -> None:
    """Looks at every file's size, and at the content of all but the weights; a difference is a `ModelError`."""
    for name, known in manifest.files.items():
        path = folder / name
        try:
            size = path.stat().st_size
        except OSError:
            raise ModelError(
                f"{path}: the file is missing or cannot be read; export the model again"
            ) from None
        if size != known.size:
            what = "is it truncated?" if size < known.size else "it was changed since"
            raise ModelError(f"{path}: has {size} bytes where {known.size} were written; {what}")
        if name != WEIGHTS:
            _must_be(path, known)


def check_weights(folder: Path, manifest: Manifest) -> None:
    """Reads all of the weights; a difference to what was written is a `ModelError`."""
    _must_be(folder / WEIGHTS, manifest.files[WEIGHTS])


def _must_be(path: Path, known: SavedFile) -> None:
    try:
        facts = path.stat()
        digest = _digest_of_content(path, facts.st_size, facts.st_mtime_ns)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    if digest != known.sha256:
        raise ModelError(f"{path}: not what was written (its sha256 differs); export the model again")


@functools.cache
def _digest_of_content(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 - they tell contents apart
    return _digest(path)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
