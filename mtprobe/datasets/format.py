"""A data format: the keys of its `data:` entries, its reader, and the suite that `mtprobe import` creates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtprobe.datasets.preset import Preset
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel


@dataclass(frozen=True, slots=True)
class Family:
    """Formats that share keys, described together."""

    heading: str
    entry: type[Data]
    guide: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """A package adds one with the entry point `NAME = "package.module:FORMAT"` in the group `mtprobe.formats`."""

    name: str
    heading: str  # of its section in the reference
    entry: type[Data]
    read: Callable[[Any, Reading], Iterator[Item]]
    preset: Callable[[Any], Preset] | None = None  # None: `mtprobe import` does not know the format
    # The preset as the samples require it, where one layout holds sets for different methods.
    adapted: Callable[[Preset, Sequence[SampleModel]], Preset] | None = None
    family: Family | None = None
    published: bool = (
        True  # a public test set, read as it is; False: people write such files for their suites
    )
    guide: str = ""  # Markdown, after the table of keys


def read_guide(name: str) -> str:
    """The guide to a format of this package, or to a family of them."""
    return (Path(__file__).parent / "guides" / f"{name}.txt").read_text(encoding="utf-8")
