"""What was translated and scored before, on disk: SQLite, safe with several workers and at any interruption.

Keys hold the model's fingerprint, so one model never gets another's outputs. Rows are committed as
the work goes on; what was finished before a crash is there afterwards.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from mtprobe.errors import MtprobeError

P = TypeVar("P", bound=tuple[str, str])

_VERSION = 1
_WAIT_SECONDS = 60.0  # for another worker's write
_KEYS_A_QUERY = 500

_SCHEMA = """
CREATE TABLE IF NOT EXISTS models (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS translations (
    model INTEGER NOT NULL REFERENCES models, key BLOB NOT NULL, text TEXT NOT NULL, PRIMARY KEY (model, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scores (
    model INTEGER NOT NULL REFERENCES models, key BLOB NOT NULL, logprobs BLOB NOT NULL, PRIMARY KEY (model, key)
) WITHOUT ROWID;
"""


class StoreError(MtprobeError):
    """The store cannot be used as it is."""


class Store:
    """Translations by (model, source), token log-probabilities by (model, source, target)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"{path} cannot be used as a store: {error}; move it away, name another with --mt-store, "
                "or do without one (--mt-no-store)"
            ) from None

    def _prepare(self) -> None:
        self._use_write_ahead_log()
        self._connection.execute("PRAGMA synchronous = NORMAL")
        version = self._version()
        if version not in (0, _VERSION):
            raise StoreError(f"{self.path} was written by a newer mtprobe (store version {version})")
        if version == _VERSION:
            return
        with self._writing():
            for statement in _SCHEMA.split(";"):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA user_version = {_VERSION}")

    def _use_write_ahead_log(self) -> None:
        """Switching a new file over needs it for a moment alone, and SQLite does not wait for that by itself."""
        deadline = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def translations(self, fingerprint: str, sources: Sequence[str]) -> dict[str, str]:
        """Those of the sources whose translation is known."""
        found = self._find("translations", "text", fingerprint, {_key(source): source for source in sources})
        return {source: str(text) for source, text in found}

    def scores(
        self, fingerprint: str, pairs: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], tuple[float, ...]]:
        """Those of the pairs whose score is known."""
        found = self._find("scores", "logprobs", fingerprint, {_key(*pair): pair for pair in pairs})
        return {pair: tuple(array("d", blob)) for pair, blob in found}

    def add_translations(self, fingerprint: str, translations: Mapping[str, str]) -> None:
        self._add(
            "translations", fingerprint, [(_key(source), text) for source, text in translations.items()]
        )

    def add_scores(self, fingerprint: str, scores: Mapping[P, Sequence[float]]) -> None:
        self._add(
            "scores",
            fingerprint,
            [(_key(*pair), array("d", values).tobytes()) for pair, values in scores.items()],
        )

    def _find(
        self, table: str, column: str, fingerprint: str, wanted: Mapping[bytes, Any]
    ) -> Iterator[tuple[Any, Any]]:
        keys = list(wanted)
        for start in range(0, len(keys), _KEYS_A_QUERY):
            part = keys[start : start + _KEYS_A_QUERY]
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(
                f"SELECT key, {column} FROM {table} WHERE model = (SELECT id FROM models WHERE fingerprint = ?) "  # noqa: S608 - our own names
                f"AND key IN ({marks})",
                (fingerprint, *part),
            )
            for key, value in rows:
                yield wanted[bytes(key)], value

    def _add(self, table: str, fingerprint: str, rows: Sequence[tuple[bytes, str | bytes]]) -> None:
        if not rows:
            return
        with self._writing():
            self._connection.execute("INSERT OR IGNORE INTO models (fingerprint) VALUES (?)", (fingerprint,))
            (model,) = self._connection.execute(
                "SELECT id FROM models WHERE fingerprint = ?", (fingerprint,)
            ).fetchone()
            self._connection.executemany(
                f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)",  # noqa: S608 - our own names
                [(model, key, value) for key, value in rows],
            )

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def keep_out_of_git(folder: Path) -> None:
    """What mtprobe makes for itself is nobody's source; a folder of another name is the user's business."""
    if folder.name == ".mtprobe":
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")


def _key(*texts: str) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.digest()
