"""The store's file: SQLite with a write-ahead log. Problems are exceptions here; `Store` handles them.

A transaction is atomic and durable: a kill or a power cut leaves all of it or nothing, and it is on disk when it
ends. Several processes may read and write at once.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from mtprobe.store.errors import Damaged, Unusable, is_busy, is_damage
from mtprobe.store.lock import Patience
from mtprobe.store.rows import Row, checksum, from_text, to_text, today
from mtprobe.store.runtimes import UNRECORDED, computes_wrongly
from mtprobe.store.schema import RUNTIMES, VERSION, create, has_runtimes, migrate_from_1, recognise

_KEYS_PER_QUERY = 500
_LOG_BYTES = 16_000_000  # to which the write-ahead log shrinks after it has grown
_TOUCH_SECONDS = 1.0  # to wait for the lock where nothing is lost without it

Identity = tuple[int, int] | None


def identity(path: Path) -> Identity:
    """Which file it is, whatever its name; None if there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


class Database:
    """An open store. `immutable`: nothing is written, not even beside the file."""

    def __init__(
        self,
        path: Path,
        limit: int | None = None,
        *,
        immutable: bool = False,
        patience: Patience | None = None,
    ) -> None:
        self.path = path
        self._patience = patience or Patience()
        self.damaged_rows = 0  # that were found and skipped
        self._runtimes: dict[int, str] = {}  # by id, as far as they were read
        before = identity(path)
        uri = f"{path.absolute().as_uri()}{'?immutable=1' if immutable else ''}"
        self.connection = sqlite3.connect(
            uri,
            timeout=self._patience.left,
            isolation_level=None,
            uri=True,
            check_same_thread=False,  # `Store` ensures that one thread at a time uses it
        )
        try:
            self.connection.text_factory = bytes  # damaged text may not be UTF-8
            self._prepare(limit, immutable)
            # If the two differ, another process has just set the old file aside; then `Store` opens it again.
            self.identity = before or identity(path)
        except BaseException as error:
            self.connection.close()
            if isinstance(error, sqlite3.Error) and is_busy(error):
                self._patience.lose()
            if isinstance(error, UnicodeDecodeError):  # in a message of SQLite that quotes the damaged schema
                raise Damaged("is damaged (malformed database schema)") from error
            if isinstance(error, sqlite3.Error) and is_damage(error, opening=True):
                raise Damaged(f"is damaged ({error})") from error
            raise

    # -- the file --

    def _prepare(self, limit: int | None, immutable: bool) -> None:
        """Writes nothing before it is clear that the file is a store."""
        version = recognise(self.connection, self.path)
        if immutable:
            if version != VERSION:
                raise Unusable("is not a store of this version and cannot be written to")
            return
        self._use_write_ahead_log()
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        if limit is not None:
            (page,) = self.connection.execute("PRAGMA page_size").fetchone()
            self.connection.execute(f"PRAGMA max_page_count = {max(1, limit // page)}")
        if version != VERSION:
            with self.writing():
                version = recognise(self.connection, self.path)  # another process may have been faster
                if version == 0:
                    create(self.connection)
                elif version == 1:
                    migrate_from_1(self.connection)
        # An error if a table or a column is missing:
        self.connection.execute("SELECT model, kind, key, value, used, checksum FROM kept LIMIT 0")
        self.connection.execute("SELECT id, fingerprint, since FROM models LIMIT 0")

    def _use_write_ahead_log(self) -> None:
        """The switch needs exclusive access for a moment, and SQLite does not wait for that by itself."""
        deadline = time.monotonic() + self._patience.left
        while True:
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    @property
    def moved(self) -> bool:
        """Whether the file has been renamed or deleted: what is written to it would not be found again."""
        try:
            return identity(self.path) != self.identity
        except OSError:  # the folder cannot be read any more, which says nothing about the file
            return False

    @contextmanager
    def writing(self, most: float | None = None) -> Iterator[None]:
        """One transaction; the lock is waited for as long as patience lasts, at most for `most` seconds."""
        if self.connection.in_transaction:  # left by work that was stopped between two steps
            self.connection.execute("ROLLBACK")
        seconds = self._patience.left if most is None else min(most, self._patience.left)
        self._wait_at_most(seconds)
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # a full disk has ended it already
                self.connection.execute("ROLLBACK")
            raise

    def _wait_at_most(self, seconds: float) -> None:
        self.connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def close(self) -> None:
        self.connection.close()

    # -- the rows --

    def find(self, fingerprint: str, kind: int, keys: Sequence[bytes]) -> dict[bytes, tuple[bytes, str]]:
        """The values of the keys that are stored, each with its runtime; these rows count as used today.

        Rows of a runtime that computes wrongly are not found.
        """
        model = self.model(fingerprint)
        if model is None:
            return {}
        self._wait_at_most(self._patience.left)
        values: dict[bytes, tuple[bytes, str]] = {}
        stale: list[bytes] = []
        day, runtime_id = today(), self.runtime_column()
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            part = keys[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, value, used, checksum, {runtime_id} FROM kept WHERE model = ? AND kind = ? AND key IN ({marks})"  # noqa: S608
            rows = self.connection.execute(query, (model, kind, *part))
            for key, value, used, expected, runtime_id_of_row in rows.fetchall():
                if checksum(fingerprint, kind, key, value) != expected:
                    self.damaged_rows += 1
                    continue
                runtime = self.runtime(runtime_id_of_row)
                if computes_wrongly(runtime):
                    continue
                values[key] = value, runtime
                if used < day:
                    stale.append(key)
        self._touch(model, kind, stale, day)
        return values

    def _touch(self, model: int, kind: int, keys: Iterable[bytes], day: int) -> None:
        """At most once per day and row; if writing fails, rows only look older than they are."""
        rows = [(day, model, kind, key) for key in keys]
        if not rows:
            return
        with suppress(sqlite3.OperationalError), self.writing(_TOUCH_SECONDS):
            self.connection.executemany(
                "UPDATE kept SET used = ? WHERE model = ? AND kind = ? AND key = ?", rows
            )

    def runtime_column(self) -> str:
        """The column for the runtime of a row; older stores have none."""
        return "runtime" if has_runtimes(self.connection) else "NULL"

    def runtime(self, number: int | None) -> str:
        """The runtime of a row, by its id."""
        if number is None:
            return UNRECORDED
        if number not in self._runtimes:
            rows = self.connection.execute("SELECT id, name FROM runtimes")
            self._runtimes = {known: to_text(name) for known, name in rows}
        return self._runtimes.get(number, UNRECORDED)

    def model(self, fingerprint: str) -> int | None:
        row = self.connection.execute(
            "SELECT id FROM models WHERE fingerprint = ?", (from_text(fingerprint),)
        ).fetchone()
        return None if row is None else int(row[0])

    def add(self, rows: Iterable[Row]) -> bool:
        """In one transaction; a new value replaces the old one. Returns True: the rows are on disk."""
        with self.writing():
            self.insert(rows)
        return True

    def insert(self, rows: Iterable[Row]) -> None:
        """Within a transaction."""
        models: dict[str, int] = {}
        runtimes: dict[str, int | None] = {UNRECORDED: None}
        values = []
        if not has_runtimes(self.connection):
            for statement in RUNTIMES:
                self.connection.execute(statement)
        for row in rows:
            if row.fingerprint not in models:
                models[row.fingerprint] = self._model_for(row.fingerprint)
            if row.runtime not in runtimes:
                runtimes[row.runtime] = self._runtime_for(row.runtime)
            model, runtime = models[row.fingerprint], runtimes[row.runtime]
            values.append((model, row.kind, row.key, row.value, row.used, row.checksum, runtime))
        self.connection.executemany(
            "INSERT OR REPLACE INTO kept (model, kind, key, value, used, checksum, runtime) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            values,
        )

    def _model_for(self, fingerprint: str) -> int:
        model = self.model(fingerprint)
        if model is not None:
            return model
        inserted = self.connection.execute(
            "INSERT INTO models (fingerprint, since) VALUES (?, ?)", (from_text(fingerprint), today())
        )
        return int(inserted.lastrowid or 0)

    def _runtime_for(self, name: str) -> int:
        self.connection.execute("INSERT OR IGNORE INTO runtimes (name) VALUES (?)", (from_text(name),))
        row = self.connection.execute("SELECT id FROM runtimes WHERE name = ?", (from_text(name),)).fetchone()
        return int(row[0])
