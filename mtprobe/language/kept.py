"""Stored results of slow procedures on texts: a library is loaded only for new texts.

A result is found by the name of its procedure, which holds every version that it depends on, and by its texts. Nothing
is kept outside `keeping`, and a value of the wrong shape counts as missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Key: TypeAlias = tuple[str, ...]

_WAITING = 2000  # results that are written at once


class Keeper(Protocol):
    """The interface of a store for results. Values are JSON."""

    def computed(self, procedure: str, keys: Sequence[Key]) -> Mapping[Key, Any]: ...

    def add_computed(self, procedure: str, values: Mapping[Key, Any]) -> None: ...


class _Kept:
    """The results that were read or computed so far, and those that are still to be written."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._known: dict[str, dict[Key, Any]] = {}
        self._asked: dict[str, set[Key]] = {}
        self._new: dict[str, dict[Key, Any]] = {}

    def read(self, procedure: str, keys: Sequence[Key]) -> Mapping[Key, Any]:
        known = self._known.setdefault(procedure, {})
        asked = self._asked.setdefault(procedure, set())
        if unasked := [key for key in dict.fromkeys(keys) if key not in asked]:
            known.update(self._keeper.computed(procedure, unasked))
            asked.update(unasked)
        return known

    def add(self, procedure: str, values: Mapping[Key, Any]) -> None:
        self._known.setdefault(procedure, {}).update(values)
        new = self._new.setdefault(procedure, {})
        new.update(values)
        if len(new) >= _WAITING:
            self.write()

    def write(self) -> None:
        new, self._new = self._new, {}
        for procedure, values in new.items():
            self._keeper.add_computed(procedure, values)


_current: ContextVar[_Kept | None] = ContextVar("kept", default=None)


@contextmanager
def keeping(keeper: Keeper | None) -> Iterator[None]:
    """Within it, results are read from the keeper and added to it; None keeps nothing."""
    kept = None if keeper is None else _Kept(keeper)
    token = _current.set(kept)
    try:
        yield
    finally:
        _current.reset(token)
        if kept is not None:
            kept.write()


def expect(procedure: str, keys: Sequence[Key]) -> None:
    """Reads results that will be needed one by one: one query is faster than many."""
    if (kept := _current.get()) is not None:
        kept.read(procedure, keys)


def kept_or_computed(
    procedure: str,
    keys: Sequence[Key],
    compute: Callable[[list[Key]], Sequence[T]],
    read: Callable[[Any], T],
    write: Callable[[T], Any] = lambda result: result,
) -> list[T]:
    """The result of each key. `read` raises a ValueError for a value that `write` cannot have written."""
    kept = _current.get()
    if kept is None:
        return list(compute(list(keys)))
    values = kept.read(procedure, keys)
    results: dict[Key, T] = {}
    for key in dict.fromkeys(keys):
        if key in values:
            try:
                results[key] = read(values[key])
            except (ValueError, TypeError, IndexError):
                continue
    if missing := [key for key in dict.fromkeys(keys) if key not in results]:
        new = dict(zip(missing, compute(missing), strict=True))
        kept.add(procedure, {key: write(result) for key, result in new.items()})
        results.update(new)
    return [results[key] for key in keys]
