"""A parallel corpus: a source and one or more target sides, read in blocks of lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mtprobe.errors import MtprobeError, Place
from mtprobe.system.text_files import TextFile

_LINES = 5000  # per block


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files of a corpus: one per side, or all sides as columns of one tab-separated file."""

    paths: tuple[Path, ...]  # the source first; a single one is a table
    targets: tuple[str, ...]  # the names of the target sides

    @property
    def size(self) -> int:
        """In bytes on disk, for progress."""
        return sum(path.stat().st_size for path in self.paths if path.exists())


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of all sides, undecoded."""

    first: int  # the number of the first line
    sides: tuple[bytes, ...]
    read: int  # bytes on disk that were read for it

    def rows(self, corpus: Corpus) -> Iterator[list[str]]:
        """Source and targets of each line."""
        columns = [self._lines(side, path) for side, path in zip(self.sides, corpus.paths, strict=True)]
        if len(corpus.paths) > 1:
            yield from map(list, zip(*columns, strict=True))
            return
        expected = len(corpus.targets) + 1
        for number, line in enumerate(columns[0], start=self.first):
            row = line.split("\t")
            if len(row) != expected:
                raise MtprobeError(
                    f"{Place(corpus.paths[0], number)}: {len(row)} columns, not {expected}; "
                    "a table has one column for the source and one per target side, separated by tabs"
                )
            yield row

    def _lines(self, side: bytes, path: Path) -> list[str]:
        try:
            text = side.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.first + side.count(b"\n", 0, error.start)
            raise MtprobeError(f"{Place(path, line)}: not UTF-8 text") from None
        return [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]


def blocks(corpus: Corpus, lines: int = _LINES) -> Iterator[Block]:
    """The corpus block by block: only one block is in memory."""
    with ExitStack() as stack:
        sides = [stack.enter_context(TextFile(path)) for path in corpus.paths]
        first = 1
        while True:
            before = sum(side.position for side in sides)
            taken = [side.take(lines) for side in sides]
            counts = [len(side) for side in taken]
            if len(set(counts)) > 1:
                _unequal(corpus.paths, counts, first)
            if not counts[0]:
                return
            read = sum(side.position for side in sides) - before
            yield Block(first, tuple(b"".join(side) for side in taken), read)
            first += counts[0]


def _unequal(paths: Sequence[Path], counts: Sequence[int], first: int) -> None:
    """One side is shorter than another."""
    shortest = min(range(len(counts)), key=lambda at: counts[at])
    longest = max(range(len(counts)), key=lambda at: counts[at])
    ends = first + counts[shortest]
    raise MtprobeError(
        f"{Place(paths[shortest], ends)}: the file has {ends - 1:,} lines, but {paths[longest]} has more; "
        "the sides of a parallel corpus must match line by line"
    )
