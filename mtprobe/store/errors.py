"""The errors of a store, and their severity."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from mtprobe.errors import MtprobeError

_ELSEWHERE = "set `store` to another path, or run without a store"

# The file itself is damaged. All other errors of SQLite have causes outside of it.
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

# The machine's fault, not ours: a full or broken disk, a lock that is never released, a missing permission.
_TROUBLE = {
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_TOOBIG,
}


class StoreError(MtprobeError):
    """The store cannot be used as it is."""


class NewerStore(StoreError):
    """A sound store, written by a newer mtprobe."""

    def __init__(self, path: Path, version: int) -> None:
        super().__init__(
            f"{path} was written by a newer mtprobe (store version {version}) and is left alone; "
            f"upgrade mtprobe, {_ELSEWHERE}"
        )


class NotNamedLikeAStore(StoreError):
    """A file of the user's own at the store's path; it is not ours to move."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path} cannot be used as a store: it {what}; {_ELSEWHERE}")


class Unusable(Exception):
    """The file at the store's path is not a store, or not any more; it is set aside."""

    mark = "foreign"


class Damaged(Unusable):
    """It was a store, and rows may still be read from it."""

    mark = "damaged"


def _primary(error: sqlite3.Error) -> int | None:
    """SQLite's error code; errors of the Python module itself have none and are our bugs."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else int(code) & 0xFF


def is_damage(error: sqlite3.Error, *, opening: bool = False) -> bool:
    """While a file is opened, a failing statement shows damage to the file, not a mistake in the statement."""
    code = _primary(error)
    return code in _DAMAGE or (opening and code == sqlite3.SQLITE_ERROR)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process holds the lock."""
    return _primary(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def is_trouble(error: sqlite3.Error) -> bool:
    return _primary(error) in _TROUBLE


def may_only_read(error: sqlite3.Error) -> bool:
    """Whether the file might be opened for reading only."""
    return _primary(error) in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
