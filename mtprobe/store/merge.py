"""Merges rows from elsewhere into a store: rows that are here stay, and a second merge changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from mtprobe.store.database import Database
from mtprobe.store.rows import Row, checksum

_ROWS_PER_TRANSACTION = 5000


@dataclass
class Merged:
    new: int = 0
    known: int = 0
    differing: int = 0  # of those known: with another value elsewhere


def merge(database: Database, rows: Iterable[Row]) -> Merged:
    """In small transactions: other processes are not blocked, and an interrupted import is simply repeated."""
    counts = Merged()
    remaining = iter(rows)
    while batch := list(islice(remaining, _ROWS_PER_TRANSACTION)):
        with database.writing():
            database.insert([row for row in batch if _is_new(database, row, counts)])
    return counts


def _is_new(database: Database, row: Row, counts: Merged) -> bool:
    """A row that is damaged here counts as missing."""
    model = database.model(row.fingerprint)
    place = (model, row.kind, row.key)
    stored = database.connection.execute(
        "SELECT value, used, checksum FROM kept WHERE model = ? AND kind = ? AND key = ?", place
    ).fetchone()
    if stored is None or checksum(row.fingerprint, row.kind, row.key, stored[0]) != stored[2]:
        counts.new += 1
        return True
    counts.known += 1
    counts.differing += stored[0] != row.value
    if row.used > stored[1]:
        database.connection.execute(
            "UPDATE kept SET used = ? WHERE model = ? AND kind = ? AND key = ?", (row.used, *place)
        )
    return False
