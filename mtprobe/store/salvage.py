"""Reads the rows of another store's file, intact or damaged, without changing it.

A damaged file is read through SQLite alone, with queries that go around the pages it cannot read. `sqlite3 FILE
.recover` may find more.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from mtprobe.progress import LOGGER
from mtprobe.store.errors import StoreError
from mtprobe.store.rows import KINDS, SCORE, TRANSLATION, Row, checksum, to_text, today
from mtprobe.store.runtimes import UNRECORDED
from mtprobe.store.schema import APPLICATION, VERSION, has_runtimes, is_of_version_1, table_names

_MAGIC = b"SQLite format 3\0"
_NAMED = re.compile(r"\.(sqlite3?|db)(\.(damaged|foreign)-[^.]*)?$")

_KEY_BYTES = 16
_LOWEST, _HIGHEST = b"", b"\xff" * (_KEY_BYTES + 1)
_MODELS_TRIED = 100  # ids, where the table of models cannot be read
_FRUITLESS_SPLITS = 8


def is_store_file(path: Path) -> bool:
    """Whether it is, or was, a database: by its content or, where that is gone, by its name."""
    return bool(_NAMED.search(path.name)) or (path.is_file() and _has_magic(path))


def _has_magic(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def rows_of_file(path: Path, models: Iterable[str] = ()) -> Iterator[Row]:
    """The rows of a store; of a damaged one, those that SQLite can still read.

    `models`: fingerprints whose rows may be in it, in case the table of models is lost.
    """
    damage = _Damage(path)
    connection = _open(path)
    try:
        version = 0
        with damage.noted():
            version = _version(connection, path)
        if version == VERSION:
            yield from _rows_of_2(connection, list(models), damage)
        elif version == 1:
            with damage.noted():
                yield from _rows_of_1(connection)
    finally:
        connection.close()


class _Damage:
    """Warned of once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._warned = False

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Ends at the first page that cannot be read."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
            if not self._warned:
                self._warned = True
                LOGGER.warning(
                    f"{self._path} is damaged ({error}); reading the rows that SQLite can still read"
                )


def _open(path: Path) -> sqlite3.Connection:
    """Writes nothing to the file, nor beside it if that can be avoided."""
    uri = path.absolute().as_uri()
    log = Path(f"{path}-wal")
    mode = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    try:
        connection = sqlite3.connect(f"{uri}?{mode}", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {error}") from None
    connection.text_factory = bytes
    return connection


def _version(connection: sqlite3.Connection, path: Path) -> int:
    connection.execute("PRAGMA writable_schema = ON")  # makes SQLite read a truncated file, too
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application == APPLICATION and version > VERSION:
        raise StoreError(f"{path} was written by a newer mtprobe (store version {version})")
    if application == APPLICATION:
        return VERSION
    if application == 0 and is_of_version_1(version, table_names(connection)):
        return 1
    raise StoreError(f"{path} is the database of another application, not a store")


def _rows_of_1(connection: sqlite3.Connection) -> Iterator[Row]:
    for kind, table, column in ((TRANSLATION, "translations", "text"), (SCORE, "scores", "logprobs")):
        rows = connection.execute(
            f"SELECT fingerprint, key, CAST({column} AS BLOB) FROM {table} "  # noqa: S608 - our own names
            f"JOIN models ON models.id = {table}.model"
        )
        for fingerprint, key, value in rows:
            yield Row(to_text(fingerprint), kind, key, value, today())


def _rows_of_2(connection: sqlite3.Connection, candidates: list[str], damage: _Damage) -> Iterator[Row]:
    names, runtimes = _readable_models(connection, damage), _readable_runtimes(connection, damage)
    ids = {*names, *range(1, min(max(names, default=_MODELS_TRIED), _MODELS_TRIED) + 1)}
    for model in sorted(ids):
        fingerprints = [*names.get(model, ()), *candidates]
        for kind in range(len(KINDS)):
            for key in _ReadableKeys(connection, model, kind, damage).between():
                row = None
                with damage.noted():
                    row = _row(connection, model, kind, key, fingerprints)
                if row is not None:
                    yield replace(row, runtime=_runtime(connection, model, row, runtimes, damage))


def _row(
    connection: sqlite3.Connection, model: int, kind: int, key: bytes, fingerprints: Iterable[str]
) -> Row | None:
    """The checksum shows whether it is genuine, and whose it is."""
    values = connection.execute(
        "SELECT value, used, checksum FROM kept WHERE model = ? AND kind = ? AND key = ?", (model, kind, key)
    ).fetchone()
    if values is None or not isinstance(values[0], bytes) or not isinstance(values[1], int):
        return None
    value, used, expected = values
    for fingerprint in fingerprints:
        if checksum(fingerprint, kind, key, value) == expected:
            return Row(fingerprint, kind, key, value, max(0, min(used, today())))
    return None


def _runtime(
    connection: sqlite3.Connection, model: int, row: Row, runtimes: dict[int, str], damage: _Damage
) -> str:
    if runtimes:
        with damage.noted():
            (number,) = connection.execute(
                "SELECT runtime FROM kept WHERE model = ? AND kind = ? AND key = ?",
                (model, row.kind, row.key),
            ).fetchone()
            return runtimes.get(number, UNRECORDED)
    return UNRECORDED


def _readable_runtimes(connection: sqlite3.Connection, damage: _Damage) -> dict[int, str]:
    """The runtimes by id; none if rows have no runtimes."""
    names: dict[int, str] = {}
    with damage.noted():
        if has_runtimes(connection):
            for number, name in connection.execute("SELECT id, name FROM runtimes"):
                names[number] = to_text(name)
    return names


def _readable_models(connection: sqlite3.Connection, damage: _Damage) -> dict[int, set[str]]:
    """From the table and from its index, each from both ends."""
    names: dict[int, set[str]] = {}
    for source in ("models NOT INDEXED ORDER BY id", "models ORDER BY fingerprint"):
        for direction in ("", " DESC"):
            with damage.noted():
                for model, fingerprint in connection.execute(
                    f"SELECT id, fingerprint FROM {source}{direction}"  # noqa: S608 - our own words
                ):
                    if isinstance(model, int) and isinstance(fingerprint, bytes):
                        names.setdefault(model, set()).add(to_text(fingerprint))
    return names


class _ReadableKeys:
    """The keys of one model and kind.

    A scan ends at the first page that cannot be read. The keys between the scan from below and the one from above are
    split in the middle, as long as that finds more: keys are digests and spread evenly over the pages.
    """

    def __init__(self, connection: sqlite3.Connection, model: int, kind: int, damage: _Damage) -> None:
        self._connection, self._model, self._kind, self._damage = connection, model, kind, damage

    def between(
        self, low: bytes = _LOWEST, high: bytes = _HIGHEST, splits: int = _FRUITLESS_SPLITS
    ) -> Iterator[bytes]:
        start, end = low, high
        for key in self._scan(low, high, "ASC"):
            if key is None:
                break
            low = key
            yield key
        else:
            return
        for key in self._scan(low, high, "DESC"):
            if key is None:
                break
            high = key
            yield key
        left = splits - 1 if (low, high) == (start, end) else _FRUITLESS_SPLITS
        middle = _middle(low, high)
        if left and low < middle < high:
            yield from self.between(low, middle, left)
            yield from self.between(middle, high, left)

    def _scan(self, low: bytes, high: bytes, direction: str) -> Iterator[bytes | None]:
        """The rows in order, between the two; None where damage ends it."""
        with self._damage.noted():
            for (key,) in self._connection.execute(
                "SELECT key FROM kept "  # noqa: S608 - our own words
                f"WHERE model = ? AND kind = ? AND key > ? AND key < ? ORDER BY key {direction}",
                (self._model, self._kind, low, high),
            ):
                if not isinstance(key, bytes) or not low < key < high:
                    break
                low, high = (key, high) if direction == "ASC" else (low, key)
                yield key
            else:
                return
        yield None


def _middle(low: bytes, high: bytes) -> bytes:
    first, second = (int.from_bytes(key.ljust(_KEY_BYTES + 1, b"\0"), "big") for key in (low, high))
    return ((first + second) // 2).to_bytes(_KEY_BYTES + 1, "big")
