"""Rows of another store's file, whole or damaged, which is left as it is."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from mtprobe.progress import LOGGER
from mtprobe.store.errors import StoreError
from mtprobe.store.pages import Cell, cells, is_database
from mtprobe.store.rows import SCORE, TRANSLATION, Row, checksum, to_text, today
from mtprobe.store.schema import APPLICATION, VERSION, is_of_version_1, table_names

_NAMED = re.compile(r"\.(sqlite3?|db)(\.(damaged|foreign)-[^.]*)?$")


def is_store_file(path: Path) -> bool:
    """Whether it is, or was, a database: by its content, and where that is gone, by its name."""
    return bool(_NAMED.search(path.name)) or (path.is_file() and is_database(path))


def rows_of_file(path: Path, models: Iterable[str] = ()) -> Iterator[Row]:
    """What a store holds; of a damaged one, what can still be read, page by page.

    `models`: fingerprints whose rows may be in it, in case their names are among what is lost.
    """
    try:
        yield from _asked(path)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        LOGGER.warning(f"{path} is damaged ({error}); its pages are looked through one by one")
        yield from _looked_for(path, models)


def _asked(path: Path) -> Iterator[Row]:
    connection = _opened(path)
    connection.text_factory = bytes
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if application == APPLICATION and version > VERSION:
            raise StoreError(f"{path} was written by a newer mtprobe (store version {version})")
        if application == APPLICATION:
            yield from _rows_of_2(connection)
        elif application == 0 and is_of_version_1(version, table_names(connection)):
            yield from _rows_of_1(connection)
        else:
            raise StoreError(f"{path} is the database of another application, not a store")
    finally:
        connection.close()


def _opened(path: Path) -> sqlite3.Connection:
    """Nothing is written to it, nor beside it where that can be helped."""
    uri = path.absolute().as_uri()
    log = Path(f"{path}-wal")
    mode = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    return sqlite3.connect(f"{uri}?{mode}", uri=True, isolation_level=None)


def _rows_of_2(connection: sqlite3.Connection) -> Iterator[Row]:
    found = connection.execute(
        "SELECT fingerprint, kind, key, value, used, checksum FROM kept JOIN models ON models.id = kept.model"
    )
    for fingerprint, kind, key, value, used, expected in found:
        row = Row(to_text(fingerprint), kind, key, value, min(used, today()))
        if row.checksum == expected:
            yield row


def _rows_of_1(connection: sqlite3.Connection) -> Iterator[Row]:
    for kind, table, column in ((TRANSLATION, "translations", "text"), (SCORE, "scores", "logprobs")):
        found = connection.execute(
            f"SELECT fingerprint, key, CAST({column} AS BLOB) FROM {table} "  # noqa: S608 - our own names
            f"JOIN models ON models.id = {table}.model"
        )
        for fingerprint, key, value in found:
            yield Row(to_text(fingerprint), kind, key, value, today())


def _looked_for(path: Path, models: Iterable[str]) -> Iterator[Row]:
    """A row is genuine if its checksum fits to a model that is known, or named anywhere in the file."""
    names: dict[int, set[str]] = {}
    for cell in cells(path):
        if (named := _model(cell)) is not None:
            names.setdefault(named[0], set()).add(named[1])
    everybody = sorted(set(models).union(*names.values()))
    for cell in cells(path):
        match cell:
            case Cell(None, (int(model), int(kind), bytes(key), bytes(value), int(used), int(expected))):
                likely = names.get(model, set())
                for name in (*likely, *(each for each in everybody if each not in likely)):
                    if checksum(name, kind, key, value) == expected:
                        yield Row(name, kind, key, value, max(0, min(used, today())))
                        break


def _model(cell: Cell) -> tuple[int, str] | None:
    """From the table of models, or from its index."""
    match cell:
        case Cell(int(number), (None, bytes(name), int())):
            pass
        case Cell(None, (bytes(name), int(number))):
            pass
        case _:
            return None
    try:
        return number, to_text(name)
    except UnicodeDecodeError:
        return None
