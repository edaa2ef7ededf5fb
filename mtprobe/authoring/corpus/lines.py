"""Lines of a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mtprobe.errors import MtprobeError
from mtprobe.system.text_files import TextFileError, text_lines


class CorpusError(MtprobeError):
    """A text file that cannot be read, or that does not fit its partner."""


def lines_of(path: Path) -> Iterator[str]:
    """Every line without its end."""
    try:
        for _, line in text_lines(path):
            yield line
    except TextFileError as error:
        raise CorpusError(error) from None
