"""The tables of a store: what makes a database one, and how those of older versions become it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from mtprobe.store.errors import NewerStore, Unusable
from mtprobe.store.rows import SCORE, TRANSLATION, checksum, today

APPLICATION = 0x6D747072  # "mtpr": other applications' databases are not touched
VERSION = 2

_TABLES = (
    "CREATE TABLE models (id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL UNIQUE, since INTEGER NOT NULL)",
    "CREATE TABLE kept (model INTEGER NOT NULL REFERENCES models, kind INTEGER NOT NULL, key BLOB NOT NULL, "
    "value BLOB NOT NULL, used INTEGER NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (model, kind, key)) "
    "WITHOUT ROWID",
)
# Added with the first row that is written; earlier versions of mtprobe ignore both.
RUNTIMES = (
    "CREATE TABLE IF NOT EXISTS runtimes (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE)",
    "ALTER TABLE kept ADD COLUMN runtime INTEGER REFERENCES runtimes",
)
_TABLES_OF_1 = {"models", "translations", "scores"}


def create(connection: sqlite3.Connection) -> None:
    """Within a transaction."""
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def recognise(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the store; 0 for an empty file.

    Read in one transaction: another process may be creating it right now.
    """
    within = connection.in_transaction
    if not within:
        connection.execute("BEGIN")
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        names = table_names(connection)
    finally:
        if not within and connection.in_transaction:
            connection.execute("ROLLBACK")
    if application == APPLICATION and version > VERSION:
        raise NewerStore(path, version)
    if application == APPLICATION:
        return int(version)
    if application == 0 and version == 0 and not names:
        return 0
    if application == 0 and is_of_version_1(version, names):
        return 1
    raise Unusable("is the database of another application")


def has_runtimes(connection: sqlite3.Connection) -> bool:
    """Whether rows have a column for their runtime."""
    columns = connection.execute("PRAGMA table_info(kept)").fetchall()
    return any(column[1] in ("runtime", b"runtime") for column in columns)


def table_names(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name.decode("utf-8", "replace") if isinstance(name, bytes) else name for (name,) in rows}


def is_of_version_1(version: int, names: set[str]) -> bool:
    """The first stores had no application id."""
    return version == 1 and names >= _TABLES_OF_1


def migrate_from_1(connection: sqlite3.Connection) -> None:
    """Within a transaction. Rows count as used today: version 1 did not record it."""
    connection.create_function(
        "row_checksum", 4, lambda model, kind, key, value: checksum(model.decode(), kind, key, value)
    )
    connection.execute("ALTER TABLE models RENAME TO models_1")
    create(connection)
    connection.execute(
        f"INSERT INTO models SELECT id, CAST(fingerprint AS BLOB), {today()} FROM models_1"  # noqa: S608 - a number
    )
    for kind, table, column in ((TRANSLATION, "translations", "text"), (SCORE, "scores", "logprobs")):
        connection.execute(
            f"INSERT INTO kept SELECT model, {kind}, key, CAST({column} AS BLOB), {today()}, "  # noqa: S608 - our own names
            f"row_checksum(fingerprint, {kind}, key, CAST({column} AS BLOB)) "
            f"FROM {table} JOIN models ON models.id = {table}.model"
        )
        connection.execute(f"DROP TABLE {table}")
    connection.execute("DROP TABLE models_1")
