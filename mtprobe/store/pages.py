"""The cells of SQLite's pages, read without SQLite: from a file whose tree is broken, one page is as good as another.

Written after https://www.sqlite.org/fileformat2.html. Whatever makes no sense is passed over; the checksums of rows
say what is genuine.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"SQLite format 3\0"
LOG_MAGICS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_PAGE_SIZES = {1 << power for power in range(9, 17)}
_USUAL_PAGE = 4096
_TABLE_LEAF, _INDEX_LEAF, _INDEX_INTERIOR = 0x0D, 0x0A, 0x02
_LARGEST = 1 << 30  # a payload; SQLite takes no more

Value = int | bytes | None
_Raw = bytes | mmap.mmap


@dataclass(frozen=True, slots=True)
class Cell:
    rowid: int | None  # None in an index
    values: tuple[Value, ...]


def is_database(path: Path) -> bool:
    """By its first bytes: a database or a write-ahead log."""
    with path.open("rb") as stream:
        start = stream.read(16)
    return start == MAGIC or start[:4] in LOG_MAGICS


def cells(path: Path) -> Iterator[Cell]:
    """Every cell of every page of a database, and of the log beside it."""
    with _mapped(path) as raw, _mapped(Path(f"{path}-wal")) as log:
        pages = _Pages(raw, log)
        for number, page in pages.all():
            yield from _cells_of_page(number, page, pages)


class _Pages:
    """By number: of the database, and where the log has newer ones, those."""

    def __init__(self, raw: _Raw, log: _Raw) -> None:
        if raw[:4] in LOG_MAGICS:
            raw, log = b"", raw
        self._raw, self._log = raw, log
        self.size = _page_size(raw, log)
        self._logged = dict(self._frames())

    def _frames(self) -> Iterator[tuple[int, int]]:
        """Page numbers and where in the log they start, the oldest first."""
        if self._log[:4] in LOG_MAGICS:
            for start in range(32, len(self._log) - 24 - self.size + 1, 24 + self.size):
                yield int.from_bytes(self._log[start : start + 4], "big"), start + 24

    def all(self) -> Iterator[tuple[int, bytes]]:
        """Old ones and new ones: what makes no sense any more in one may do so in the other."""
        for start in range(0, len(self._raw), self.size):
            yield start // self.size + 1, self._raw[start : start + self.size]
        for number, start in self._frames():
            yield number, self._log[start : start + self.size]

    def __getitem__(self, number: int) -> bytes:
        start = self._logged.get(number)
        if start is not None:
            return self._log[start : start + self.size]
        start = (number - 1) * self.size
        if not 0 <= start < len(self._raw):
            raise KeyError(number)
        return self._raw[start : start + self.size]


def _page_size(raw: _Raw, log: _Raw) -> int:
    stated = 0
    if log[:4] in LOG_MAGICS:
        stated = int.from_bytes(log[8:12], "big")
    elif raw[:16] == MAGIC:
        stated = int.from_bytes(raw[16:18], "big")
    stated = 65536 if stated == 1 else stated
    return stated if stated in _PAGE_SIZES else _USUAL_PAGE


@contextmanager
def _mapped(path: Path) -> Iterator[_Raw]:
    """A file's content, however large; nothing where there is none."""
    if not path.exists() or not path.stat().st_size:
        yield b""
        return
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        yield content


def _cells_of_page(number: int, page: bytes, pages: _Pages) -> Iterator[Cell]:
    head = 100 if number == 1 else 0
    kind = page[head] if len(page) > head + 12 else None
    if kind not in (_TABLE_LEAF, _INDEX_LEAF, _INDEX_INTERIOR):
        return
    count = int.from_bytes(page[head + 3 : head + 5], "big")
    pointers = head + (12 if kind == _INDEX_INTERIOR else 8)
    for place in range(pointers, min(pointers + 2 * count, len(page) - 1), 2):
        start = int.from_bytes(page[place : place + 2], "big") + (4 if kind == _INDEX_INTERIOR else 0)
        try:
            yield _cell(page, start, kind == _TABLE_LEAF, pages)
        except (IndexError, KeyError, ValueError, struct.error):
            continue


def _cell(page: bytes, start: int, table: bool, pages: _Pages) -> Cell:
    length, start = _varint(page, start)
    rowid = None
    if table:
        rowid, start = _varint(page, start)
    return Cell(rowid, _record(_payload(page, start, length, table, pages)))


def _payload(page: bytes, start: int, length: int, table: bool, pages: _Pages) -> bytes:
    if length > _LARGEST:
        raise ValueError("no payload")
    usable = len(page)
    most = usable - 35 if table else (usable - 12) * 64 // 255 - 23
    if length <= most:
        return page[start : start + length]
    least = (usable - 12) * 32 // 255 - 23
    local = least + (length - least) % (usable - 4)
    local = local if local <= most else least
    parts = [page[start : start + local]]
    following, missing = int.from_bytes(page[start + local : start + local + 4], "big"), length - local
    while missing > 0:
        part = pages[following][4 : 4 + missing]
        following, missing = int.from_bytes(pages[following][:4], "big"), missing - len(part)
        if not part:
            raise ValueError("no overflow page")
        parts.append(part)
    return b"".join(parts)


def _record(payload: bytes) -> tuple[Value, ...]:
    end, place = _varint(payload, 0)
    kinds = []
    while place < end:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    values = []
    for kind in kinds:
        value, place = _value(payload, place, kind)
        values.append(value)
    return tuple(values)


_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def _value(payload: bytes, place: int, kind: int) -> tuple[Value, int]:
    if kind in (0, 8, 9):
        return (None if kind == 0 else kind - 8), place
    if kind in _INTEGER_BYTES:
        end = place + _INTEGER_BYTES[kind]
        return int.from_bytes(payload[place:end], "big", signed=True), end
    if kind < 12:
        raise ValueError("no value of ours")
    end = place + (kind - 12) // 2
    if end > len(payload):
        raise ValueError("cut off")
    return payload[place:end], end


def _varint(raw: bytes, place: int) -> tuple[int, int]:
    value = 0
    for used in range(9):
        byte = raw[place + used]
        if used == 8:
            return (value << 8) | byte, place + 9
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            return value, place + used + 1
    raise AssertionError
