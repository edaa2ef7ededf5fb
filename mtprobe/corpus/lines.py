"""Lines of a text file, plain or gzipped, one at a time."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from mtprobe.errors import MtprobeError, Place


class CorpusError(MtprobeError):
    """A text file that cannot be read, or that does not fit its partner."""


def lines_of(path: Path) -> Iterator[str]:
    """Every line without its end. Only a line feed ends a line: other signs that look like one belong to the text."""
    number = 0
    try:
        with closing(_opened(path)) as stream:
            for number, line in enumerate(stream, start=1):
                yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise CorpusError(f"{Place(path, number)}: not UTF-8 text") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise CorpusError(f"{path}: the gzip file is damaged behind line {number:,}") from None
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror or error}") from None


def _opened(path: Path) -> BinaryIO:
    """By its first bytes, not by its name."""
    stream = path.open("rb")
    if stream.peek(2)[:2] == b"\x1f\x8b":
        return io.BufferedReader(gzip.GzipFile(fileobj=stream), 1 << 16)
    return stream
