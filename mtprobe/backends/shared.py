"""Parts shared by models: a multilingual model is opened once per target language, but its weights are loaded only once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Part = TypeVar("Part")


class Shared(Generic[Part]):
    """Loaded parts by key; each is freed with the last model that uses it."""

    def __init__(self) -> None:
        self._parts: WeakValueDictionary[Hashable, Part] = WeakValueDictionary()

    def get(self, key: Hashable, load: Callable[[], Part]) -> Part:
        """The part that a living model has loaded, or else the result of `load`.

        The key names everything that the part depends on: files by their path and digest, device, number format.
        """
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = load()
        return part
