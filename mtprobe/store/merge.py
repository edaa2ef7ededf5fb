"""Rows from elsewhere come into a store: what is here stays, and a second time changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from mtprobe.store.database import Database
from mtprobe.store.rows import Row, checksum

_ROWS_A_TRANSACTION = 5000


@dataclass
class Merged:
    new: int = 0
    known: int = 0
    differing: int = 0  # of those known: elsewhere they have another value


def merge(database: Database, rows: Iterable[Row]) -> Merged:
    """In small transactions: others go on meanwhile, and an import that was interrupted is simply done again."""
    counts = Merged()
    left = iter(rows)
    while some := list(islice(left, _ROWS_A_TRANSACTION)):
        with database.writing():
            database.insert([row for row in some if _is_new(database, row, counts)])
    return counts


def _is_new(database: Database, row: Row, counts: Merged) -> bool:
    """A row that is damaged here is as good as none."""
    model = database.model(row.fingerprint)
    place = (model, row.kind, row.key)
    found = database.connection.execute(
        "SELECT value, used, checksum FROM kept WHERE model = ? AND kind = ? AND key = ?", place
    ).fetchone()
    if found is None or checksum(row.fingerprint, row.kind, row.key, found[0]) != found[2]:
        counts.new += 1
        return True
    counts.known += 1
    counts.differing += found[0] != row.value
    if row.used > found[1]:
        database.connection.execute(
            "UPDATE kept SET used = ? WHERE model = ? AND kind = ? AND key = ?", (row.used, *place)
        )
    return False
