"""Files of samples, one module a format. A reader gives each sample with its place, or the error in its place."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mtprobe.datasets.reading import Item, Reading
    from mtprobe.suite.data import Data

# Each module has `read(data, reading)`, and for public sets `preset(data)`: what a suite of them says.
FORMATS = {
    "jsonl": "mtprobe.datasets.jsonl",
    "senses": "mtprobe.datasets.senses",
    "winomt": "mtprobe.datasets.winomt",
    "mucow": "mtprobe.datasets.mucow",
}


def read_data(data: Data, reading: Reading) -> Iterator[Item]:
    """What stands in the files of a `data:` entry, in their order."""
    yield from import_module(FORMATS[data.format or "jsonl"]).read(data, reading)
