"""Lines of text files, plain or gzipped. A problem with a file is a `TextFileError` with its place.

Only a line feed ends a line, so that parallel files stay parallel: other characters that look like a line end belong
to the text. Files are read in a stream, within limits: a few kilobytes of gzip can unpack to any number of lines.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NoReturn, Self, cast

from mtprobe.errors import MtprobeError, Place

_GZIP_MAGIC = b"\x1f\x8b"
_BUFFER = 1 << 16
_CHUNK = 64  # lines that are read at a time
_UNPACKED = 50_000_000  # bytes that any gzip file may unpack to
_RATIO = 100  # times its size that a larger one may; text is packed to a third or a tenth


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a file is read; more is an error at its line."""

    line: int = 10_000_000  # bytes
    lines: int | None = None
    size: int | None = None  # bytes, unpacked


UNCOUNTED = Limits()
IN_MEMORY = Limits(lines=2_000_000)  # for readers that keep every line


class TextFileError(MtprobeError):
    """A file that cannot be read, is not UTF-8, is a damaged gzip file or exceeds a limit."""

    def __init__(self, place: Place, reason: str) -> None:
        self.place, self.reason = place, reason
        super().__init__(f"{place}: {reason}")


class TextFile:
    """An open file whose content is read in lines, as bytes."""

    def __init__(self, path: Path, limits: Limits = UNCOUNTED) -> None:
        self._path, self._limits = path, limits
        self.lines = 0  # that were read
        self._bytes = 0  # of these lines
        self._error: Exception | None = None  # raised when the lines before it have been read
        with self._located():
            self._file = path.open("rb")
            # The first bytes show whether it is packed, and the name that it should be.
            self._packed = path.suffix == ".gz" or self._file.peek(2)[:2] == _GZIP_MAGIC
            self._most_unpacked = max(_UNPACKED, _RATIO * os.fstat(self._file.fileno()).st_size)
        self._content: BinaryIO = self._file
        if self._packed:
            unpacked = cast(io.RawIOBase, gzip.GzipFile(fileobj=self._file))
            self._content = cast(BinaryIO, io.BufferedReader(unpacked, _BUFFER))

    @property
    def position(self) -> int:
        """How many bytes on disk were read."""
        return self._file.tell()

    def take(self, count: int) -> list[bytes]:
        """So many lines, or what is left."""
        lines: list[bytes] = []
        while len(lines) < count and (chunk := self._chunk(min(_CHUNK, count - len(lines)))):
            lines += chunk
        return lines

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        """Number and bytes of each line, with its end."""
        while True:
            first = self.lines + 1
            if not (chunk := self._chunk(_CHUNK)):
                return
            yield from enumerate(chunk, start=first)

    def _chunk(self, count: int) -> list[bytes]:
        """A few lines, within the limits: however long they are, they fit into memory."""
        limits, before = self._limits, (self.lines, self._bytes)
        lines: list[bytes] = []
        with self._located():
            if self._error is not None:
                raise self._error
            try:
                lines.extend(islice(iter(partial(self._content.readline, limits.line + 1), b""), count))
            except (EOFError, zlib.error, OSError) as error:
                if not lines:
                    raise
                self._error = error  # the lines before it count
        self.lines += len(lines)
        self._bytes += sum(map(len, lines))
        if (
            max(map(len, lines), default=0) > limits.line
            or (limits.lines is not None and self.lines > limits.lines)
            or (limits.size is not None and self._bytes > limits.size)
            or (self._packed and self._bytes > self._most_unpacked)
        ):
            self._refuse(lines, *before)
        if lines and not before[0]:
            lines[0] = lines[0].removeprefix(codecs.BOM_UTF8)
        return lines

    def _refuse(self, lines: Sequence[bytes], number: int, size: int) -> NoReturn:
        """Raises an error at the first line that exceeds a limit; `number` and `size` count the lines before."""
        limits = self._limits
        for line in lines:
            number, size = number + 1, size + len(line)
            place = Place(self._path, number)
            if len(line) > limits.line:
                raise TextFileError(place, f"a line of more than {limits.line / 1e6:.0f} MB")
            if limits.lines is not None and number > limits.lines:
                raise TextFileError(place, f"more than {limits.lines:,} lines")
            if limits.size is not None and size > limits.size:
                raise TextFileError(place, f"more than {limits.size / 1e6:.0f} MB, uncompressed")
            if self._packed and size > self._most_unpacked:
                raise TextFileError(place, f"a gzip file that unpacks to more than {_RATIO} times its size")
        raise AssertionError("no line exceeds a limit")

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


def raw_lines(path: Path, limits: Limits = UNCOUNTED) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each line, with its end."""
    with TextFile(path, limits) as file:
        yield from file.numbered()


def text_lines(path: Path, limits: Limits = IN_MEMORY) -> Iterator[tuple[int, str]]:
    """Number and text of each line, without the line break."""
    for number, line in raw_lines(path, limits):
        try:
            yield number, line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise TextFileError(Place(path, number), "not UTF-8 text") from None
