"""Lines of text files, plain or packed with gzip. What is wrong with a file is a `TextFileError` with its place.

Only a line feed ends a line, so that parallel files stay parallel: other characters that look like a line end belong
to the text.
"""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Self, cast

from mtprobe.errors import MtprobeError, Place

_GZIP_MAGIC = b"\x1f\x8b"
_BUFFER = 1 << 16


class TextFileError(MtprobeError):
    """A file that cannot be read, is not UTF-8 or is a damaged gzip file."""

    def __init__(self, place: Place, reason: str) -> None:
        self.place, self.reason = place, reason
        super().__init__(f"{place}: {reason}")


class TextFile:
    """An open file whose content is read in lines, as bytes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lines = 0  # that were read
        with self._located():
            self._file = path.open("rb")
            # The first bytes show whether it is packed, and the name that it should be.
            packed = path.suffix == ".gz" or self._file.peek(2)[:2] == _GZIP_MAGIC
        self._content: BinaryIO = self._file
        if packed:
            unpacked = cast(io.RawIOBase, gzip.GzipFile(fileobj=self._file))
            self._content = cast(BinaryIO, io.BufferedReader(unpacked, _BUFFER))

    @property
    def position(self) -> int:
        """How many bytes on disk were read."""
        return self._file.tell()

    def take(self, count: int) -> list[bytes]:
        """So many lines, or what is left."""
        with self._located():
            lines = list(islice(self._content, count))
        if lines and not self.lines:
            lines[0] = lines[0].removeprefix(codecs.BOM_UTF8)
        self.lines += len(lines)
        return lines

    def numbered(self, longest: int) -> Iterator[tuple[int, bytes]]:
        with self._located():
            for line in iter(partial(self._content.readline, longest), b""):
                self.lines += 1
                yield self.lines, line if self.lines > 1 else line.removeprefix(codecs.BOM_UTF8)

    @contextmanager
    def _located(self) -> Iterator[None]:
        try:
            yield
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise TextFileError(Place(self._path, self.lines + 1), "damaged gzip file") from None
        except OSError as error:
            raise TextFileError(Place(self._path), f"cannot be read: {error.strerror or error}") from None

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def raw_lines(path: Path, longest: int = -1) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each line, with its end. A line of more than `longest` bytes comes in parts."""
    with TextFile(path) as file:
        yield from file.numbered(longest)


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of each line, without its end."""
    for number, line in raw_lines(path):
        try:
            yield number, line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise TextFileError(Place(path, number), "not UTF-8 text") from None
