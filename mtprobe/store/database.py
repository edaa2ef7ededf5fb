"""The store's file: SQLite with a write-ahead log. Every trouble is an exception here; `Store` bears them.

A transaction is there whole or not at all, whatever is killed or unplugged, and is on disk when it is
over. Several processes may read and write at once.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from mtprobe.store.errors import Damaged, Unusable, is_damage
from mtprobe.store.rows import Row, checksum, today
from mtprobe.store.schema import VERSION, create, migrate_from_1, must_have_its_tables, recognise

_WAIT_SECONDS = 60.0  # for another worker's write
_KEYS_A_QUERY = 500
_LOG_BYTES = 16_000_000  # that the write-ahead log keeps of its largest size

Identity = tuple[int, int] | None


def identity(path: Path) -> Identity:
    """Which file it is, whatever it is called; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


class Database:
    """An open store. `immutable`: nothing is written, not even beside the file."""

    def __init__(self, path: Path, limit: int | None = None, *, immutable: bool = False) -> None:
        self.path = path
        self.damaged_rows = 0  # that were met, and left out
        before = identity(path)
        uri = f"{path.absolute().as_uri()}{'?immutable=1' if immutable else ''}"
        self.connection = sqlite3.connect(
            uri,
            timeout=_WAIT_SECONDS,
            isolation_level=None,
            uri=True,
            check_same_thread=False,  # `Store` sees to it that there is one at a time
        )
        try:
            self.connection.text_factory = bytes  # what is damaged need not be UTF-8
            self._prepare(limit, immutable)
            # Where the two differ, another process has just set the old file aside: then it is opened anew.
            self.identity = before or identity(path)
        except UnicodeDecodeError as error:
            # Of a message of SQLite's, which quotes what it does not understand.
            self.connection.close()
            raise Damaged("is damaged (malformed database schema)") from error
        except sqlite3.Error as error:
            self.connection.close()
            if is_damage(error, opening=True):
                raise Damaged(f"is damaged ({error})") from error
            raise
        except BaseException:
            self.connection.close()
            raise

    # -- the file --

    def _prepare(self, limit: int | None, immutable: bool) -> None:
        """Nothing is written before it is clear that the file is ours."""
        version = recognise(self.connection, self.path)
        if immutable:
            if version != VERSION:
                raise Unusable("is no store of this version, and nothing can be written there")
            return
        self._use_write_ahead_log()
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        if limit is not None:
            (page,) = self.connection.execute("PRAGMA page_size").fetchone()
            self.connection.execute(f"PRAGMA max_page_count = {max(1, limit // page)}")
        if version != VERSION:
            with self.writing():
                version = recognise(self.connection, self.path)  # another worker may have been faster
                if version == 0:
                    create(self.connection)
                elif version == 1:
                    migrate_from_1(self.connection)
        must_have_its_tables(self.connection)

    def _use_write_ahead_log(self) -> None:
        """Switching a new file over needs it for a moment alone, and SQLite does not wait for that by itself."""
        deadline = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    @property
    def moved(self) -> bool:
        """Whether the file has another name by now, or none: what is written to it would not be found."""
        try:
            return identity(self.path) != self.identity
        except OSError:  # a folder that may not be looked into any more says nothing about the file
            return False

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction."""
        if self.connection.in_transaction:  # work that was stopped between two steps has left one
            self.connection.execute("ROLLBACK")
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # a full disk ends it by itself
                self.connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self.connection.close()

    # -- the rows --

    def find(self, fingerprint: str, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that are known; what is found counts as used today."""
        model = self.model(fingerprint)
        if model is None:
            return {}
        found: dict[bytes, bytes] = {}
        stale: list[bytes] = []
        day = today()
        for start in range(0, len(keys), _KEYS_A_QUERY):
            part = keys[start : start + _KEYS_A_QUERY]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, value, used, checksum FROM kept WHERE model = ? AND kind = ? AND key IN ({marks})"  # noqa: S608
            rows = self.connection.execute(query, (model, kind, *part))
            for key, value, used, expected in rows:
                if checksum(fingerprint, kind, key, value) != expected:
                    self.damaged_rows += 1
                    continue
                found[key] = value
                if used < day:
                    stale.append(key)
        self._touch(model, kind, stale, day)
        return found

    def _touch(self, model: int, kind: int, keys: Iterable[bytes], day: int) -> None:
        """Once a day; where it cannot be written, rows only look older than they are."""
        rows = [(day, model, kind, key) for key in keys]
        if not rows:
            return
        try:
            with self.writing():
                self.connection.executemany(
                    "UPDATE kept SET used = ? WHERE model = ? AND kind = ? AND key = ?", rows
                )
        except sqlite3.OperationalError:
            return

    def model(self, fingerprint: str) -> int | None:
        found = self.connection.execute(
            "SELECT id FROM models WHERE fingerprint = ?", (_encoded(fingerprint),)
        ).fetchone()
        return None if found is None else int(found[0])

    def add(self, rows: Iterable[Row]) -> None:
        """In one transaction; a value that is new replaces the old one."""
        with self.writing():
            self.insert(rows)

    def insert(self, rows: Iterable[Row]) -> None:
        """Within a transaction."""
        models: dict[str, int] = {}
        values = []
        for row in rows:
            if row.fingerprint not in models:
                models[row.fingerprint] = self._model_for(row.fingerprint)
            values.append((models[row.fingerprint], row.kind, row.key, row.value, row.used, row.checksum))
        self.connection.executemany(
            "INSERT OR REPLACE INTO kept (model, kind, key, value, used, checksum) VALUES (?, ?, ?, ?, ?, ?)",
            values,
        )

    def _model_for(self, fingerprint: str) -> int:
        known = self.model(fingerprint)
        if known is not None:
            return known
        made = self.connection.execute(
            "INSERT INTO models (fingerprint, since) VALUES (?, ?)", (_encoded(fingerprint), today())
        )
        return int(made.lastrowid or 0)


def _encoded(fingerprint: str) -> bytes:
    return fingerprint.encode("utf-8", "surrogatepass")
