"""Counts matches of a search in a parallel corpus: streamed, in constant memory, on all cores, and interruptible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from mtprobe.authoring.corpus.matching import Inventory, ItemMatcher
from mtprobe.authoring.corpus.parallel import Block, Corpus, blocks
from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.progress import Progress, Silent
from mtprobe.system.processes import interruption_waits, pool

_AHEAD = 3  # blocks that wait for each worker

Key = TypeVar("Key", bound=Hashable)


class RowCounter(Protocol[Key]):
    """Counts in rows of a source and its target sides."""

    def count(self, rows: Iterable[Sequence[str]]) -> Counter[Key]: ...


class Searched(Protocol[Key]):
    """A corpus and what is counted in it. It is sent to workers, which make the counter there."""

    @property
    def corpus(self) -> Corpus: ...

    def matcher(self) -> RowCounter[Key]: ...


@dataclass(frozen=True, slots=True)
class Search:
    """Everything that a worker needs."""

    corpus: Corpus
    inventory: Inventory
    lemmatizer: tuple[str, str] | None = None  # kind and target language; None: surface forms
    source_lemmatizer: tuple[str, str] | None = None  # None: source words are matched literally

    def matcher(self) -> ItemMatcher:
        lemmatizers = [
            open_lemmatizer(*spec) if spec else None for spec in (self.lemmatizer, self.source_lemmatizer)
        ]
        return ItemMatcher(self.inventory, *lemmatizers)


@dataclass(frozen=True, slots=True)
class Counted(Generic[Key]):
    """How often each pattern occurs in a corpus, and how many lines the corpus has."""

    lines: int
    patterns: Counter[Key]


def count(search: Searched[Key], jobs: int, progress: Progress | None = None) -> Counted[Key]:
    """Counts the complete corpus; the result does not depend on the number of jobs."""
    progress = progress or Silent()
    lines, patterns = 0, Counter[Key]()
    progress.start("counting", search.corpus.size)
    try:
        for counted, read in _in_this_process(search) if jobs == 1 else _in_processes(search, jobs):
            lines += counted.lines
            patterns += counted.patterns
            progress.advance(read)
    finally:
        progress.done()
    return Counted(lines, patterns)


def _in_this_process(search: Searched[Key]) -> Iterator[tuple[Counted[Key], int]]:
    matcher = search.matcher()
    for block in _uninterrupted(search.corpus):
        yield _count(block, search.corpus, matcher), block.read


def _uninterrupted(corpus: Corpus) -> Iterator[Block]:
    """Blocks; no interruption hits the reading of one."""
    unread = blocks(corpus)
    while True:
        with interruption_waits():
            block = next(unread, None)
        if block is None:
            return
        yield block


def _in_processes(search: Searched[Key], jobs: int) -> Iterator[tuple[Counted[Key], int]]:
    """Blocks are read here and counted in workers; only a few are in memory, however large the corpus is."""
    search.matcher()  # to report its errors here, once
    with pool(jobs, _start, search) as workers:
        waiting: dict[Future[Counted[Key]], int] = {}
        unread = _uninterrupted(search.corpus)
        try:
            while True:
                for block in islice(unread, jobs * _AHEAD - len(waiting)):
                    with interruption_waits():  # the first one starts the processes
                        waiting[workers.submit(_work, block)] = block.read
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result(), waiting.pop(future)
        except BrokenProcessPool:
            raise MtprobeError("a counting process died; if memory was short, try fewer --jobs") from None
        finally:
            workers.shutdown(wait=True, cancel_futures=True)


_state: tuple[Searched[Any], RowCounter[Any]] | None = None  # of a worker process


def _start(search: Searched[Any]) -> None:
    global _state
    _state = search, search.matcher()


def _work(block: Block) -> Counted[Any]:
    assert _state is not None  # noqa: S101 - set when the worker started
    return _count(block, _state[0].corpus, _state[1])


def _count(block: Block, corpus: Corpus, matcher: RowCounter[Key]) -> Counted[Key]:
    rows = list(block.rows(corpus))
    return Counted(len(rows), matcher.count(rows))
