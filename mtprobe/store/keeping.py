"""The store as seen by a run: whatever happens to its file, the run continues with the same numbers.

A damaged file is set aside with a warning. Rows that cannot be written, as on a full disk, are reported once, kept in
memory, and tried again with the next rows and at the end. A lock that another process keeps is waited for once.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import Any, Self, TypeAlias, TypeVar

from mtprobe.progress import LOGGER
from mtprobe.store import rows
from mtprobe.store.aside import open_or_set_aside, set_aside
from mtprobe.store.database import Database
from mtprobe.store.errors import Damaged, StoreError, Unusable, is_busy, is_damage, is_trouble, may_only_read
from mtprobe.store.lock import Patience
from mtprobe.store.place import limit_of_the_environment
from mtprobe.store.rows import Row, Spans, key_of, today
from mtprobe.store.runtimes import UNRECORDED

SpanKey: TypeAlias = tuple[str, str, int, int]  # source, target, and a span of the source

P = TypeVar("P", bound=tuple[str, str])
K = TypeVar("K", bound=SpanKey)
T = TypeVar("T")

_ROWS_PER_TRANSACTION = 1000
_MOST_WAITING = 200_000  # rows kept in memory while they cannot be written
_LONGEST = 100_000_000  # bytes of a value; SQLite's own limit is ten times that
_ATTEMPTS = 3
_RETRY_SECONDS = 5.0
_ALIGNED_BY = "1"  # to be raised when our engines choose other layers or heads (`attention_graphs.py`)
_SPANS_AS_TRANSLATIONS = " spans of target tokens"  # older stores: translations of a model of that name


def _attention_key(pair: SpanKey) -> bytes:
    source, target, start, end = pair
    return key_of(source, target, f"{start}-{end}", _ALIGNED_BY)


class Store:
    """Translations by (model, source), token log-probabilities by (model, source, target), token spans by (model, text).

    Also the attention of target tokens, by (model, source, target, span of the source).

    Keys hold the model's fingerprint, so one model never gets another's outputs. Rows are on disk when an
    `add_…` returns.
    """

    def __init__(
        self,
        path: Path,
        limit: int | None = None,
        tell: Callable[[str], None] = LOGGER.warning,
        wait: float | None = None,
    ) -> None:
        """`wait` is for another process that keeps the store locked, in seconds; None: a minute."""
        self.path = Path(os.path.realpath(path)) if path.is_symlink() else path
        self._limit = limit if limit is not None else limit_of_the_environment()
        self._warn = tell
        self._patience = Patience(wait)
        self._lock = RLock()  # the thread that works and the one that closes may differ
        self._waiting: dict[tuple[str, int, bytes], Row] = {}
        self._runtimes: dict[str, set[str]] = {}  # by fingerprint, of the rows that were found
        self._lost = 0
        self._next_try = 0.0  # when it may be opened again, if it could not be
        self._warned = False
        self._warned_of_rows = False
        self._database = self._opened()

    # -- for a run --

    def translations(self, fingerprint: str, sources: Sequence[str]) -> dict[str, str]:
        """The stored translations of these sources."""
        values = self._find(fingerprint, rows.TRANSLATION, {key_of(source): source for source in sources})
        return {source: rows.to_text(value) for source, value in values.items()}

    def scores(
        self, fingerprint: str, pairs: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], tuple[float, ...]]:
        """The stored scores of these pairs."""
        values = self._find(fingerprint, rows.SCORE, {key_of(*pair): pair for pair in pairs})
        return {pair: rows.to_logprobs(value) for pair, value in values.items()}

    def spans(self, fingerprint: str, texts: Sequence[str]) -> dict[str, Spans]:
        """The stored places of a model's tokens in these texts."""
        keys = {key_of(text): text for text in texts}
        values = self._find(fingerprint, rows.SPANS, keys)
        if len(values) < len(keys):
            values = {
                **self._find(f"{fingerprint}{_SPANS_AS_TRANSLATIONS}", rows.TRANSLATION, keys),
                **values,
            }
        return {text: rows.to_spans(value) for text, value in values.items()}

    def attention(self, fingerprint: str, pairs: Sequence[SpanKey]) -> dict[SpanKey, tuple[float, ...]]:
        """The stored attention of target tokens to a span of the source."""
        values = self._find(fingerprint, rows.ATTENTION, {_attention_key(pair): pair for pair in pairs})
        return {pair: rows.to_attention(value) for pair, value in values.items()}

    def choice(self, fingerprint: str, *key: str) -> Mapping[str, Any] | None:
        """A choice made for a model once and for all, such as the form of its cues."""
        values = self._find(fingerprint, rows.CHOICE, {key_of(*key): key})
        return rows.to_choice(values[key]) if key in values else None

    def computed(self, procedure: str, keys: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Any]:
        """The results of a procedure, named with its versions, for these texts; see `language/kept.py`."""
        values = self._find(procedure, rows.COMPUTED, {key_of(*key): key for key in keys})
        results: dict[tuple[str, ...], Any] = {}
        for key, value in values.items():
            with suppress(ValueError):  # not JSON: counts as missing
                results[key] = json.loads(value)
        return results

    def runtimes(self, fingerprint: str) -> frozenset[str]:
        """The runtimes that computed the model's translations and scores found so far; see `runtimes.py`."""
        return frozenset(self._runtimes.get(fingerprint, ()))

    def add_translations(
        self, fingerprint: str, translations: Mapping[str, str], runtime: str = UNRECORDED
    ) -> None:
        values = {key_of(source): rows.from_text(text) for source, text in translations.items()}
        self._add(fingerprint, rows.TRANSLATION, values, runtime)

    def add_scores(
        self, fingerprint: str, scores: Mapping[P, Sequence[float]], runtime: str = UNRECORDED
    ) -> None:
        values = {key_of(*pair): rows.from_logprobs(logprobs) for pair, logprobs in scores.items()}
        self._add(fingerprint, rows.SCORE, values, runtime)

    def add_spans(self, fingerprint: str, spans: Mapping[str, Spans]) -> None:
        values = {key_of(text): rows.from_spans(places) for text, places in spans.items()}
        self._add(fingerprint, rows.SPANS, values)

    def add_attention(
        self, fingerprint: str, attention: Mapping[K, Sequence[float]], runtime: str = UNRECORDED
    ) -> None:
        values = {_attention_key(pair): rows.from_attention(numbers) for pair, numbers in attention.items()}
        self._add(fingerprint, rows.ATTENTION, values, runtime)

    def add_choice(self, fingerprint: str, key: Sequence[str], value: Mapping[str, Any]) -> None:
        self._add(fingerprint, rows.CHOICE, {key_of(*key): rows.from_choice(value)})

    def add_computed(self, procedure: str, values: Mapping[tuple[str, ...], Any]) -> None:
        self._add(
            procedure,
            rows.COMPUTED,
            {key_of(*key): rows.from_computed(value) for key, value in values.items()},
        )

    def close(self) -> None:
        """Writes the rows that still wait, and reports how many cannot be written even now."""
        with self._lock:
            self._next_try = 0.0
            self._patience.renew_at_the_end()
            self._write_waiting()
            lost = self._lost + len(self._waiting)
            self._waiting, self._lost = {}, 0
            self._leave()
        if lost:
            self._warn(
                f"{self.path}: {lost:,} translations and scores of this run could not be stored "
                "and will be computed again"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading and writing --

    def _find(self, fingerprint: str, kind: int, wanted: Mapping[bytes, T]) -> dict[T, bytes]:
        keys = list(wanted)
        with self._lock:
            found = self._try(lambda database: database.find(fingerprint, kind, keys)) or {}
            values = {key: value for key, (value, _) in found.items()}
            if kind not in (rows.SPANS, rows.CHOICE, rows.COMPUTED):  # which no runtime computes
                self._runtimes.setdefault(fingerprint, set()).update(runtime for _, runtime in found.values())
            if self._waiting:
                waiting = ((key, self._waiting.get((fingerprint, kind, key))) for key in keys)
                values.update((key, row.value) for key, row in waiting if row is not None)
            if self._database is not None and self._database.damaged_rows and not self._warned_of_rows:
                self._warned_of_rows = True
                self._warn(f"{self.path}: rows are damaged (wrong checksum); they are computed again")
        return {wanted[key]: value for key, value in values.items()}

    def _add(
        self, fingerprint: str, kind: int, values: Mapping[bytes, bytes], runtime: str = UNRECORDED
    ) -> None:
        with self._lock:
            for key, value in values.items():
                if len(value) <= _LONGEST:
                    row = Row(fingerprint, kind, key, value, today(), runtime)
                    self._waiting[fingerprint, kind, key] = row
                else:  # it would block all others
                    self._lost += 1
            self._write_waiting()
            while len(self._waiting) > _MOST_WAITING:
                del self._waiting[next(iter(self._waiting))]
                self._lost += 1

    def _write_waiting(self) -> None:
        """Rows leave memory when they are on disk, not before: an interruption in between loses none."""
        while self._waiting:
            batch = dict(islice(self._waiting.items(), _ROWS_PER_TRANSACTION))
            if not self._try(lambda database, batch=batch: database.add(batch.values())):  # type: ignore[misc]
                return
            self._patience.renew()
            for place in batch:
                del self._waiting[place]

    # -- handling errors --

    def _try(self, act: Callable[[Database], T]) -> T | None:
        """The result of `act`; None if the store cannot be used."""
        for _ in range(_ATTEMPTS):
            database = self._current()
            if database is None:
                return None
            try:
                return act(database)
            except sqlite3.Error as error:
                if is_damage(error):
                    self._set_aside(database, error)
                elif not is_trouble(error):
                    raise
                elif not database.moved:  # otherwise it was just set aside
                    if is_busy(error):
                        self._patience.lose()
                    self._warn_once(error)
                    return None
        return None

    def _current(self) -> Database | None:
        """Opened again if the file was set aside by another process, deleted, or could not be opened before."""
        if self._database is not None and self._database.moved:
            self._leave()
            self._next_try = 0.0
        if self._database is None and time.monotonic() >= self._next_try:
            try:
                self._database = self._opened()
            except StoreError as error:  # no reason to end a run
                self._warn_once(error)
        return self._database

    def _set_aside(self, database: Database, error: sqlite3.Error) -> None:
        try:
            set_aside(self.path, database.identity, Damaged(f"is damaged ({error})"), self._patience)
            self._next_try = 0.0
        except OSError as failed:
            self._warn_once(f"it is damaged ({error}) and cannot be moved away ({failed})")
        self._leave()

    def _opened(self) -> Database | None:
        self._next_try = time.monotonic() + _RETRY_SECONDS
        try:
            return open_or_set_aside(self.path, self._limit, self._patience)
        except OSError as error:
            self._warn_once(error)
        except sqlite3.Error as error:
            if not is_trouble(error):
                raise
            self._warn_once(error)
            if may_only_read(error) and self.path.is_file():
                with suppress(sqlite3.Error, Unusable, StoreError):
                    return Database(self.path, immutable=True)
        return None

    def _leave(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):  # whatever was committed is on disk already
                self._database.close()
        self._database = None

    # -- warnings --

    def _warn_once(self, reason: object) -> None:
        """Once: the next problem is most likely the same one."""
        if not self._warned:
            self._warned = True
            hint = "; `mtprobe store gc` frees space" if "full" in str(reason) else ""
            if isinstance(reason, sqlite3.Error) and is_busy(reason):
                hint = "; another process holds its lock, and is not waited for again"
            self._warn(
                f"{self.path}: translations and scores cannot be stored ({reason}); the run continues{hint}"
            )
