"""Renames a file at the store's path that is not a usable store, once and with a warning; never reuses or deletes it."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from contextlib import suppress
from pathlib import Path

from mtprobe.progress import LOGGER
from mtprobe.store.database import Database, Identity, identity
from mtprobe.store.errors import Damaged, NotNamedLikeAStore, Unusable, is_trouble
from mtprobe.store.lock import Patience, alone_in
from mtprobe.store.schema import APPLICATION

_SUFFIXES = {".sqlite", ".sqlite3", ".db"}
_BESIDE = ("-wal", "-shm", "-journal")  # SQLite's own files, part of the database until it is closed
_PAUSE = 0.05
_ATTEMPTS = 5  # each finds another file there, which hardly ever happens


def open_or_set_aside(path: Path, limit: int | None, patience: Patience) -> Database:
    """The store at that path, or a fresh one if another file was there."""
    trouble: sqlite3.Error | None = None
    for attempt in range(_ATTEMPTS):
        seen = identity(path)
        try:
            return _opened(path, limit, patience)
        except Unusable as why:
            if path.suffix.lower() not in _SUFFIXES and not _was_ours(path):
                raise NotNamedLikeAStore(path, str(why)) from None
            set_aside(path, seen, why, patience)
        except sqlite3.Error as error:
            trouble = error
            if not is_trouble(error):
                raise
            time.sleep(_PAUSE)  # another process may be setting it aside right now, file by file
            if identity(path) == seen and attempt:
                raise
    if trouble is not None:
        raise trouble
    raise OSError(f"a file that is not a store keeps coming back to {path}")


def _opened(path: Path, limit: int | None, patience: Patience) -> Database:
    if _is_there(path):
        return Database(path, limit, patience=patience)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not alone, a store that is being created looks like one that lost its content.
    with alone_in(path.parent, patience):
        log = Path(f"{path}-wal")  # SQLite would delete it, and with it the latest rows
        if not _is_there(path) and log.is_file() and log.stat().st_size:
            raise Damaged("has lost its content, but not its write-ahead log")
        return Database(path, limit, patience=patience)


def _is_there(path: Path) -> bool:
    """Whether there is a file with content. Raises for what SQLite would not report, or report wrongly."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(status.st_mode):
        raise Unusable("is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise NotNamedLikeAStore(path, "is not a regular file")
    if not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        raise Unusable("cannot be read (permission denied)")
    return status.st_size > 0


def _was_ours(path: Path) -> bool:
    """By the application id in the header of the database, even if the rest is damaged."""
    try:
        with path.open("rb") as stream:
            return stream.read(72)[68:] == APPLICATION.to_bytes(4, "big")
    except OSError:
        return False


def set_aside(path: Path, seen: Identity, why: Unusable, patience: Patience) -> None:
    """Renames the file, unless another process was faster: then another file than `seen` is there.

    Connections of other processes keep working on the renamed file.
    """
    with alone_in(path.parent, patience):
        if identity(path) != seen:
            return
        target = _free_name(path, why.mark)
        moved = False
        # The log first: after a crash in between, a fresh database must not take it for its own.
        for suffix in (*_BESIDE, ""):
            with suppress(FileNotFoundError):
                Path(f"{path}{suffix}").rename(f"{target}{suffix}")
                moved = True
        if moved:
            rescue = f"; `mtprobe store import {target}` imports the rows that can still be read"
            LOGGER.warning(
                f"{path} {why}: it was moved to {target.name}, and a fresh store is used"
                f"{rescue if isinstance(why, Damaged) else ''}"
            )


def set_aside_beside(path: Path) -> list[Path]:
    """The files that were set aside earlier."""
    files = [each for mark in ("damaged", "foreign") for each in path.parent.glob(f"{path.name}.{mark}-*")]
    return sorted(each for each in files if not each.name.endswith(_BESIDE))


def _free_name(path: Path, mark: str) -> Path:
    name = f"{path.name}.{mark}-{time.strftime('%Y%m%d-%H%M%S')}"
    candidates = (path.with_name(name + (f"-{number}" if number else "")) for number in range(10_000))
    return next(
        each for each in candidates if not any(Path(f"{each}{end}").exists() for end in ("", *_BESIDE))
    )
