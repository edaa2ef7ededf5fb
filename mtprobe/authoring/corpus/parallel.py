"""A parallel corpus: a source and one or more target sides, read together in blocks of lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mtprobe.authoring.corpus.lines import CorpusError
from mtprobe.errors import Place
from mtprobe.system.text_files import TextFile, TextFileError

_LINES = 5000  # a block


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where the sides stand: one file each, or all of them as columns of one tab-separated file."""

    paths: tuple[Path, ...]  # the source first; a single one is a table
    targets: tuple[str, ...]  # the names of the target sides

    @property
    def size(self) -> int:
        """In bytes on disk, for progress."""
        return sum(path.stat().st_size for path in self.paths if path.exists())


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of all sides, as they stand in the files."""

    first: int  # the number of the first line
    sides: tuple[bytes, ...]
    read: int  # bytes on disk that were read for it

    def rows(self, corpus: Corpus) -> Iterator[list[str]]:
        """Source and targets, a line each."""
        columns = [self._lines(side, path) for side, path in zip(self.sides, corpus.paths, strict=True)]
        if len(corpus.paths) > 1:
            yield from map(list, zip(*columns, strict=True))
            return
        wanted = len(corpus.targets) + 1
        for number, line in enumerate(columns[0], start=self.first):
            row = line.split("\t")
            if len(row) != wanted:
                raise CorpusError(
                    f"{Place(corpus.paths[0], number)}: {len(row)} columns, not {wanted}; "
                    "a table has the source and a target side a column, separated by tabs"
                )
            yield row

    def _lines(self, side: bytes, path: Path) -> list[str]:
        try:
            text = side.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.first + side.count(b"\n", 0, error.start)
            raise CorpusError(f"{Place(path, line)}: not UTF-8 text") from None
        return [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]


def blocks(corpus: Corpus, lines: int = _LINES) -> Iterator[Block]:
    """The whole corpus, a block at a time: only what is asked for is in memory."""
    with ExitStack() as stack:
        sides = [_Side(path, stack) for path in corpus.paths]
        first = 1
        while True:
            before = sum(side.position for side in sides)
            read = [side.take(lines) for side in sides]
            counts = [count for _, count in read]
            if len(set(counts)) > 1:
                _unequal(corpus.paths, counts, first)
            if not counts[0]:
                return
            yield Block(first, tuple(text for text, _ in read), sum(side.position for side in sides) - before)
            first += counts[0]


class _Side:
    """One file, from which lines are taken."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        try:
            self._file = stack.enter_context(TextFile(path))
        except TextFileError as error:
            raise CorpusError(error) from None

    @property
    def position(self) -> int:
        return self._file.position

    def take(self, lines: int) -> tuple[bytes, int]:
        """So many lines or what is left, and how many they are."""
        try:
            taken = self._file.take(lines)
        except TextFileError as error:
            raise CorpusError(error) from None
        return b"".join(taken), len(taken)


def _unequal(paths: Sequence[Path], counts: Sequence[int], first: int) -> None:
    """One side has ended before the others."""
    shortest = min(range(len(counts)), key=lambda at: counts[at])
    longest = max(range(len(counts)), key=lambda at: counts[at])
    ends = first + counts[shortest]
    raise CorpusError(
        f"{Place(paths[shortest], ends)}: the file has {ends - 1:,} lines, and {paths[longest]} has more; "
        "sides of a parallel corpus match line by line"
    )
