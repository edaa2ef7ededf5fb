"""Files of samples, one module a format. A reader gives each sample with its place, or the error in its place."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mtprobe.datasets.reading import Item, Reading
    from mtprobe.suite.format.entry import Data

# Each module has `read(data, reading)`, and for public sets `preset(data)`: what a suite of them says.
FORMATS = {
    "jsonl": "mtprobe.datasets.jsonl",
    "senses": "mtprobe.datasets.senses",
    "pairs": "mtprobe.datasets.pairs",
    "schemas": "mtprobe.datasets.schemas",
    "winomt": "mtprobe.datasets.winomt",
    "mucow": "mtprobe.datasets.mucow",
    "distil-lingeval": "mtprobe.datasets.distil_lingeval",
    "lingeval97": "mtprobe.datasets.lingeval97",
    "mucow-scoring": "mtprobe.datasets.sense_variants",
    "contrawsd": "mtprobe.datasets.sense_variants",
    "contrapro": "mtprobe.datasets.contrapro",
    "wino-x": "mtprobe.datasets.wino_x",
    "blimp": "mtprobe.datasets.blimp",
    "mt-geneval": "mtprobe.datasets.mt_geneval",
    "gate": "mtprobe.datasets.gate",
    "dibimt": "mtprobe.datasets.dibimt",
}


def read_data(data: Data, reading: Reading) -> Iterator[Item]:
    """What stands in the files of a `data:` entry, in their order."""
    yield from import_module(FORMATS[data.format or "jsonl"]).read(data, reading)
