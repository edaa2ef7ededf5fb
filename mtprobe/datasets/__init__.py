"""Files of samples, one module a format. A reader gives each sample with its place, or the error in its place."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from mtprobe.errors import Place, SuiteError, did_you_mean

if TYPE_CHECKING:
    from mtprobe.suite.files import SuiteFiles
    from mtprobe.suite.model import Data, SampleModel

FORMATS = {"jsonl": "mtprobe.datasets.jsonl", "senses": "mtprobe.datasets.senses"}
_ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl"}


def read_data(
    data: Data, files: SuiteFiles, file_place: Place, format_place: Place
) -> Iterator[tuple[Place, SampleModel | SuiteError]]:
    """The samples of a `data:` entry, in the file's order."""
    path = files.find(data.file, file_place)
    format = data.format or _ENDINGS.get(path.suffix.lower())
    if format is None:
        raise SuiteError.at(
            file_place, f'cannot tell the format of "{data.file}"; give `format`: {", ".join(FORMATS)}'
        )
    if format not in FORMATS:
        raise SuiteError.at(format_place, f'unknown format "{format}"{did_you_mean(format, FORMATS)}')
    yield from import_module(FORMATS[format]).read(path)
