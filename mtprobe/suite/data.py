"""The interface of data format readers: what they receive, and the samples, errors and skipped items that they yield."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from mtprobe.errors import Place, SuiteError

if TYPE_CHECKING:
    from mtprobe.suite.format.data import Data
    from mtprobe.suite.format.evidence import SampleModel


class Skipped(NamedTuple):
    """An item that is not a sample, on purpose."""

    reason: str


Item: TypeAlias = "tuple[Place, SampleModel | SuiteError | Skipped]"


class Files(Protocol):
    """Finds the files that a `data:` entry names."""

    def find(self, name: str, place: Place, missing: str = "error") -> Path: ...


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a `data:` entry: where its files are, and the languages of its suite."""

    files: Files
    place: Callable[[str], Place]  # of a key of the entry
    source: str  # the suite's source language
    targets: tuple[str, ...] | None  # of the suite; None: any
    missing: str = "error"
    naming_target: str = "`target: de`, or one language in `targets`"  # how the user would do it

    def find(self, key: str, name: str) -> Path:
        """The file that a key of the entry names."""
        return self.files.find(name, self.place(key), self.missing)

    def target(self, given: str | None) -> str:
        """The target language: the entry's, or else the suite's only one."""
        if given is not None:
            return given
        if self.targets is None or len(self.targets) != 1:
            raise SuiteError.at(
                self.place("format"),
                f"say which language the translations are in: {self.naming_target}",
            )
        return self.targets[0]


class Section(Protocol):
    """A part of the reference: a model's keys under a heading, and a guide to them."""

    @property
    def entry(self) -> type[Data]:
        """The model whose keys are listed."""

    @property
    def heading(self) -> str: ...

    @property
    def guide(self) -> str:
        """Markdown after the table of keys."""


class DataFormat(Section, Protocol):
    """The interface of a format of `data:` files."""

    @property
    def family(self) -> Section | None:
        """The formats that it shares keys with, if any; they are described together."""

    @property
    def published(self) -> bool:
        """Whether the files are public test sets, which are read as they are, rather than written for a suite."""

    @property
    def read(self) -> Callable[[Any, Reading], Iterator[Item]]:
        """Reads the entry's files, in their order."""
