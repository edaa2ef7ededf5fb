"""What can be wrong with a store, and how bad it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from mtprobe.errors import MtprobeError

_ELSEWHERE = "name another with --mt-store, or do without one (--mt-no-store)"

# The file is not what it was. Everything else that SQLite complains about lies outside of it.
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

# The machine's fault, not ours: a full or broken disk, a lock that is never given back, a missing right.
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
    """A store whose content is fine, for an mtprobe of another day."""

    def __init__(self, path: Path, version: int) -> None:
        super().__init__(
            f"{path} was written by a newer mtprobe (store version {version}) and is left alone; "
            f"upgrade mtprobe, {_ELSEWHERE}"
        )


class NotNamedLikeAStore(StoreError):
    """Something of the user's own stands where the store should be; it is not ours to move."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path} cannot be used as a store: it {what}; {_ELSEWHERE}")


class Unusable(Exception):
    """What stands at the store's place is no store, or no more; it is set aside."""

    mark = "foreign"


class Damaged(Unusable):
    """It was a store, and rows may still be read from it."""

    mark = "damaged"


def _primary(error: sqlite3.Error) -> int | None:
    """SQLite's code; errors of Python's module itself have none, and are bugs of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else int(code) & 0xFF


def is_damage(error: sqlite3.Error, *, opening: bool = False) -> bool:
    """While a file is opened, statements that make no sense to it tell of the file, not of the statements."""
    code = _primary(error)
    return code in _DAMAGE or (opening and code == sqlite3.SQLITE_ERROR)


def is_trouble(error: sqlite3.Error) -> bool:
    return _primary(error) in _TROUBLE


def may_only_read(error: sqlite3.Error) -> bool:
    """Whether the same file might be opened if nothing is to be written."""
    return _primary(error) in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
