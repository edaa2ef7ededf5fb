"""What a reader is given, and what it gives: samples, errors in their place, and what was left out on purpose."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from mtprobe.errors import Place, SuiteError

if TYPE_CHECKING:
    from mtprobe.suite.format.suite import SampleModel


class LeftOut(NamedTuple):
    """An item that is not a sample, on purpose."""

    reason: str


Item: TypeAlias = "tuple[Place, SampleModel | SuiteError | LeftOut]"


class Files(Protocol):
    """Finds the files that a `data:` entry names."""

    def find(self, name: str, place: Place, missing: str = "error") -> Path: ...


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a `data:` entry: where its files are, and what its suite says of languages."""

    files: Files
    place: Callable[[str], Place]  # of a key of the entry
    source: str  # the suite's source language
    targets: tuple[str, ...] | None  # of the suite; None: any
    missing: str = "error"

    def find(self, key: str, name: str) -> Path:
        """The file that stands at a key of the entry."""
        return self.files.find(name, self.place(key), self.missing)

    def target(self, given: str | None) -> str:
        """The target language: as the entry says, or else the suite's only one."""
        if given is not None:
            return given
        if self.targets is None or len(self.targets) != 1:
            raise SuiteError.at(
                self.place("format"),
                "say which language the translations are in: `target: de`, or one language in `targets`",
            )
        return self.targets[0]


def fingerprint(*texts: str) -> str:
    """A short name for texts that are too long for an id."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:10]


def with_copies(items: Iterable[Item]) -> Iterator[Item]:
    """The items, where what stands a second time says so: by its attribute `copy`, and by its id if that is the same.

    Which of two equal items comes first makes no difference, so ids still do not depend on the position.
    """
    contents: Counter[str] = Counter()
    ids: Counter[str | None] = Counter()
    for place, item in items:
        if isinstance(item, LeftOut | SuiteError):
            yield place, item
            continue
        content = item.model_dump_json(exclude={"id", "attributes", "references"})
        contents[content] += 1
        ids[item.id] += 1
        changes: dict[str, object] = {}
        if contents[content] > 1:
            changes["attributes"] = {**item.attributes, "copy": contents[content]}
        if ids[item.id] > 1:
            changes["id"] = f"{item.id}/{ids[item.id]}"
        yield place, item.model_copy(update=changes) if changes else item
