"""Registries of built-in objects and those added by installed packages through an entry-point group."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from mtprobe.errors import MtprobeError

T = TypeVar("T")


class Extensions(Mapping[str, T], Generic[T]):
    """A mapping from names to objects: the built-in ones, then those of plugins.

    Plugins are looked up only when a name is not built in or when all names are listed, and each is loaded
    only when it is used. A plugin cannot replace what is built in.
    """

    def __init__(self, group: str, built_in: Mapping[str, T], check: Callable[[str, object], T]) -> None:
        self._group = group
        self._built_in = built_in
        self._check = check
        self._loaded: dict[str, T] = {}
        self._found: tuple[tuple[str, ...], Mapping[str, EntryPoint]] | None = None

    def _plugins(self) -> Mapping[str, EntryPoint]:
        """Looked up again only if the import path has changed: it takes milliseconds, and a suite may name thousands."""
        searched = tuple(sys.path)
        if self._found is None or self._found[0] != searched:
            points = sorted(entry_points(group=self._group), key=lambda point: point.name)
            self._found = (
                searched,
                {point.name: point for point in points if point.name not in self._built_in},
            )
        return self._found[1]

    def __getitem__(self, name: str) -> T:
        if name in self._built_in:
            return self._built_in[name]
        if name not in self._loaded:
            self._loaded[name] = self._load(self._plugins()[name])
        return self._loaded[name]

    def _load(self, point: EntryPoint) -> T:
        origin = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        what = f'{self._group}: "{point.name}" of {origin}'
        try:
            loaded = point.load()
        except Exception as error:  # whatever a package does when it is imported
            raise MtprobeError(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error
        try:
            return self._check(point.name, loaded)
        except MtprobeError as error:
            raise MtprobeError(f"{what} cannot be used: {error}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._built_in or name in self._plugins()

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        yield from self._plugins()

    def __len__(self) -> int:
        return len(self._built_in) + len(self._plugins())
