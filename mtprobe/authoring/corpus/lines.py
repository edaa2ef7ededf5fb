"""Text files, plain or gzipped: told apart by their first bytes, not by their names."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from mtprobe.errors import MtprobeError, Place


class CorpusError(MtprobeError):
    """A text file that cannot be read, or that does not fit its partner."""


def opened(raw: io.BufferedReader) -> BinaryIO:
    """The text's bytes in a file that is open already."""
    if raw.peek(2)[:2] == b"\x1f\x8b":
        return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=raw)), 1 << 16))
    return raw


def lines_of(path: Path) -> Iterator[str]:
    """Every line without its end. Only a line feed ends a line: other signs that look like one belong to the text."""
    number = 0
    try:
        with path.open("rb") as raw:
            for number, line in enumerate(opened(raw), start=1):
                text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                yield text.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise CorpusError(f"{Place(path, number)}: not UTF-8 text") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise CorpusError(f"{path}: the gzip file is damaged behind line {number:,}") from None
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror or error}") from None
