"""What stands at the store's place and is no store is moved away, once, and told; never reused, never deleted."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mtprobe.progress import LOGGER
from mtprobe.store.database import Database, Identity, identity
from mtprobe.store.errors import Damaged, NotNamedLikeAStore, Unusable, is_trouble
from mtprobe.store.schema import APPLICATION

_SUFFIXES = {".sqlite", ".sqlite3", ".db"}
_BESIDE = ("-wal", "-shm", "-journal")  # SQLite's own files, part of the database until it is closed
_PAUSE = 0.05
_ATTEMPTS = 5  # each finds something else there; nobody is that unlucky


def open_or_set_aside(path: Path, limit: int | None) -> Database:
    """The store at that path; a fresh one where something else was."""
    trouble: sqlite3.Error | None = None
    for attempt in range(_ATTEMPTS):
        seen = identity(path)
        try:
            return _opened(path, limit)
        except Unusable as why:
            if path.suffix.lower() not in _SUFFIXES and not _was_ours(path):
                raise NotNamedLikeAStore(path, str(why)) from None
            set_aside(path, seen, why)
        except sqlite3.Error as error:
            trouble = error
            if not is_trouble(error):
                raise
            time.sleep(_PAUSE)  # another process may just be setting it aside, file by file
            if identity(path) == seen and attempt:
                raise
    if trouble is not None:
        raise trouble
    raise OSError(f"something that is no store comes back to {path} again and again")


def _opened(path: Path, limit: int | None) -> Database:
    if _is_there(path):
        return Database(path, limit)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone_in(path.parent):  # else a store that is just being made looks like one that lost its content
        if not _is_there(path):
            _must_have_no_log(path)
        return Database(path, limit)


def _is_there(path: Path) -> bool:
    """Whether there is a file with something in it; what SQLite would not tell, or take the wrong way, is told."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(found.st_mode):
        raise Unusable("is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise NotNamedLikeAStore(path, "is no file")
    if not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        raise Unusable("cannot be read (permission denied)")
    return found.st_size > 0


def _was_ours(path: Path) -> bool:
    """By the mark in the header of a database, whatever has become of the rest."""
    try:
        with path.open("rb") as stream:
            return stream.read(72)[68:] == APPLICATION.to_bytes(4, "big")
    except OSError:
        return False


def _must_have_no_log(path: Path) -> None:
    """SQLite would delete it, and with it what was written last."""
    log = Path(f"{path}-wal")
    if log.is_file() and log.stat().st_size:
        raise Damaged("has lost its content, but not its write-ahead log")


def set_aside(path: Path, seen: Identity, why: Unusable) -> None:
    """Renames it, unless another process was faster: then something else stands there than was seen.

    Connections that others still have to it go on working on the renamed file.
    """
    with _alone_in(path.parent):
        if identity(path) != seen:
            return
        target = _free_name(path, why.mark)
        moved = False
        # The log first: a crash in between must not leave it to a fresh database, which would take it for its own.
        for suffix in (*_BESIDE, ""):
            with suppress(FileNotFoundError):
                Path(f"{path}{suffix}").rename(f"{target}{suffix}")
                moved = True
        if moved:
            rescue = f"; `mtprobe store import {target}` takes from it what can still be read"
            LOGGER.warning(
                f"{path} {why}: it was moved to {target.name}, and a fresh store is used"
                f"{rescue if isinstance(why, Damaged) else ''}"
            )


def set_aside_beside(path: Path) -> list[Path]:
    """What was set aside earlier."""
    found = [each for mark in ("damaged", "foreign") for each in path.parent.glob(f"{path.name}.{mark}-*")]
    return sorted(each for each in found if not each.name.endswith(_BESIDE))


def _free_name(path: Path, mark: str) -> Path:
    name = f"{path.name}.{mark}-{time.strftime('%Y%m%d-%H%M%S')}"
    candidates = (path.with_name(name + (f"-{number}" if number else "")) for number in range(10_000))
    return next(
        each for each in candidates if not any(Path(f"{each}{end}").exists() for end in ("", *_BESIDE))
    )


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One process at a time; the lock goes with the process that holds it. Without locks, as on Windows, luck decides."""
    try:
        import fcntl

        opened = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)
