"""Maintenance of a store: statistics, merging rows from elsewhere, and deleting the selected rows."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from mtprobe.errors import did_you_mean
from mtprobe.store.database import Database
from mtprobe.store.errors import StoreError, Unusable, is_trouble, may_only_read
from mtprobe.store.rows import Row, checksum, to_text, today
from mtprobe.store.runtimes import computes_wrongly

ROW_BYTES = 16  # overhead
_BYTES = f"(length(key) + length(value) + {ROW_BYTES})"
_DELETED_PER_TRANSACTION = 10_000
_MERGED_PER_TRANSACTION = 5000


@dataclass(frozen=True, slots=True)
class Holding:
    """The rows of one model. Days count from 1970."""

    fingerprint: str
    translations: int
    scores: int
    bytes: int
    since: int  # the day of its first row
    oldest: int  # the least recent use of a row
    newest: int
    runtimes: tuple[str, ...] = ()  # what computed its rows, as far as it was recorded


@dataclass(frozen=True, slots=True)
class Unwanted:
    """Rows to delete: of these models, unused for so many days, the least recently used until the rest is small enough.

    All conditions that are given must hold.
    """

    models: Sequence[str] = ()  # fingerprints or patterns of them
    days: int | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """The deleted rows of one model."""

    fingerprint: str
    rows: int
    bytes: int


@dataclass
class Merged:
    new: int = 0
    known: int = 0
    differing: int = 0  # of those known: with another value elsewhere


def open_strictly(path: Path, *, to_write: bool) -> Database:
    """An existing store; any problem is an error, and the file is left as it is."""
    if not path.exists():
        raise StoreError(f"there is no store at {path}; name one with --store")
    try:
        try:
            return Database(path)
        except sqlite3.Error as error:
            if to_write or not may_only_read(error):
                raise
            return Database(path, immutable=True)
    except Unusable as why:
        raise StoreError(
            f"{path} {why}; `mtprobe store import` reads the readable rows of a damaged store"
        ) from None
    except sqlite3.Error as error:
        if not is_trouble(error):
            raise
        raise StoreError(f"{path} cannot be used as a store: {error}") from None


def fingerprints(database: Database) -> list[str]:
    return [to_text(raw) for (raw,) in database.connection.execute("SELECT fingerprint FROM models")]


def holdings(database: Database) -> list[Holding]:
    """The contents by model, largest first."""
    rows = database.connection.execute(
        f"SELECT fingerprint, sum(kind = 0), sum(kind = 1), sum({_BYTES}), since, min(used), max(used) "  # noqa: S608 - our own words
        "FROM kept JOIN models ON models.id = kept.model GROUP BY model ORDER BY 4 DESC, fingerprint"
    )
    runtimes = _runtimes(database)
    models = [Holding(to_text(fingerprint), *numbers) for fingerprint, *numbers in rows]
    return [replace(model, runtimes=tuple(sorted(runtimes[model.fingerprint]))) for model in models]


def _runtimes(database: Database) -> dict[str, set[str]]:
    """The runtimes by fingerprint."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    rows = database.connection.execute(
        f"SELECT DISTINCT fingerprint, {database.runtime_column()} AS number "  # noqa: S608 - our own words
        "FROM kept JOIN models ON models.id = kept.model WHERE number IS NOT NULL"
    )
    for fingerprint, number in rows.fetchall():
        names[to_text(fingerprint)].add(database.runtime(number))
    return names


def all_rows(database: Database, models: Sequence[str] = ()) -> Iterator[Row]:
    """A snapshot, in an order that depends on the rows alone; damaged ones are counted and skipped."""
    connection = database.connection
    wanted = _chosen(database, models) if models else None
    connection.execute("BEGIN")
    try:
        ids = connection.execute("SELECT fingerprint, id FROM models ORDER BY fingerprint").fetchall()
        for fingerprint, model in ((to_text(raw), model) for raw, model in ids):
            if wanted is not None and fingerprint not in wanted:
                continue
            rows = connection.execute(
                f"SELECT kind, key, value, used, {database.runtime_column()}, checksum FROM kept "  # noqa: S608 - our own words
                "WHERE model = ? ORDER BY kind, key",
                (model,),
            )
            for kind, key, value, used, runtime, expected in rows:
                row = Row(fingerprint, kind, key, value, used, database.runtime(runtime))
                if row.checksum == expected:
                    yield row
                else:
                    database.damaged_rows += 1
    finally:
        connection.execute("ROLLBACK")


def merge(database: Database, rows: Iterable[Row]) -> Merged:
    """Rows that are here stay, and a second merge changes nothing.

    In small transactions: other processes are not blocked, and an interrupted import is simply repeated.
    """
    counts = Merged()
    remaining = iter(rows)
    while batch := list(islice(remaining, _MERGED_PER_TRANSACTION)):
        with database.writing():
            database.insert([row for row in batch if _is_new(database, row, counts)])
    return counts


def _is_new(database: Database, row: Row, counts: Merged) -> bool:
    """A row that is damaged here, or of a runtime that computes wrongly, counts as missing."""
    model = database.model(row.fingerprint)
    place = (model, row.kind, row.key)
    stored = database.connection.execute(
        f"SELECT value, used, checksum, {database.runtime_column()} FROM kept "  # noqa: S608 - our own words
        "WHERE model = ? AND kind = ? AND key = ?",
        place,
    ).fetchone()
    if (
        stored is None
        or checksum(row.fingerprint, row.kind, row.key, stored[0]) != stored[2]
        or (computes_wrongly(database.runtime(stored[3])) and not computes_wrongly(row.runtime))
    ):
        counts.new += 1
        return True
    counts.known += 1
    counts.differing += stored[0] != row.value
    if row.used > stored[1]:
        database.connection.execute(
            "UPDATE kept SET used = ? WHERE model = ? AND kind = ? AND key = ?", (row.used, *place)
        )
    return False


def remove(database: Database, unwanted: Unwanted, *, dry: bool) -> list[Removed]:
    """Deletes rows, or with `dry` only counts them; returns them by model."""
    if not unwanted.models and unwanted.days is None and unwanted.size is None:
        raise StoreError("say what to remove: --older-than 90d, --model FINGERPRINT or --size 2GB")
    _plan(database, unwanted)
    rows = database.connection.execute(
        "SELECT fingerprint, count(*), sum(bytes) FROM temp.unwanted JOIN models ON models.id = model "
        "GROUP BY model ORDER BY 3 DESC, fingerprint"
    )
    removed = [Removed(to_text(fingerprint), count, size) for fingerprint, count, size in rows]
    if not dry:
        _carry_out(database)
    return removed


def _plan(database: Database, unwanted: Unwanted) -> None:
    """Puts the keys of the rows to delete into a temporary table."""
    connection = database.connection
    conditions = ["1"]
    if unwanted.days is not None:
        conditions.append(f"used < {today() - unwanted.days}")
    if unwanted.models:
        ids = [database.model(fingerprint) for fingerprint in _chosen(database, unwanted.models)]
        conditions.append(f"model IN ({','.join(map(str, ids))})")
    excess = None
    if unwanted.size is not None:
        (total,) = connection.execute(f"SELECT total({_BYTES}) FROM kept").fetchone()  # noqa: S608 - our own words
        excess = max(0, int(total) - unwanted.size)
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("DROP TABLE IF EXISTS temp.unwanted")
    connection.execute(
        "CREATE TEMP TABLE unwanted AS SELECT model, kind, key, used, bytes FROM ("  # noqa: S608 - our own words and numbers
        f"SELECT model, kind, key, used, {_BYTES} AS bytes, "
        f"sum({_BYTES}) OVER (ORDER BY used, model, kind, key ROWS UNBOUNDED PRECEDING) AS so_far "
        f"FROM kept WHERE {' AND '.join(conditions)})"
        + (f" WHERE so_far - bytes < {excess}" if excess is not None else "")
    )


def _carry_out(database: Database) -> None:
    """In small transactions, so that a nearly full disk is enough. Rows that were used since the plan was made stay."""
    connection = database.connection
    doomed = iter(connection.execute("SELECT model, kind, key, used FROM temp.unwanted").fetchall())
    while batch := list(islice(doomed, _DELETED_PER_TRANSACTION)):
        with database.writing():
            connection.executemany(
                "DELETE FROM kept WHERE model = ? AND kind = ? AND key = ? AND used = ?", batch
            )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    with database.writing():
        connection.execute("DELETE FROM models WHERE NOT EXISTS (SELECT 1 FROM kept WHERE model = models.id)")


def shrink(database: Database) -> str | None:
    """Returns free space to the disk, or the reason why it could not. Free space in the file is reused anyway."""
    try:
        database.connection.execute("VACUUM")
        database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.OperationalError as error:
        return str(error)
    return None


def _chosen(database: Database, patterns: Sequence[str]) -> set[str]:
    """The matching fingerprints; a pattern that matches none is an error."""
    known = fingerprints(database)
    chosen: set[str] = set()
    for pattern in patterns:
        matches = {pattern} & set(known) or {each for each in known if fnmatchcase(each, pattern)}
        if not matches:
            raise StoreError(f'{database.path} has no model "{pattern}"{did_you_mean(pattern, known)}')
        chosen |= matches
    return chosen
