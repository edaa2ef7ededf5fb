"""Counts an inventory in a parallel corpus: streamed, in constant memory, on all cores, and interruptible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice

from mtprobe.authoring.corpus.matching import Inventory, ItemMatcher, Pattern
from mtprobe.authoring.corpus.parallel import Block, Corpus, blocks
from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.progress import Progress, Silent
from mtprobe.system.processes import interruption_waits, pool

_AHEAD = 3  # blocks that wait for each worker


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
class Counted:
    """How often each pattern occurs in a corpus, and how many lines the corpus has."""

    lines: int
    patterns: Counter[Pattern]


def count(search: Search, jobs: int, progress: Progress | None = None) -> Counted:
    """Counts the complete corpus; the result does not depend on the number of jobs."""
    progress = progress or Silent()
    lines, patterns = 0, Counter[Pattern]()
    progress.start("counting", search.corpus.size)
    try:
        for counted, read in _in_this_process(search) if jobs == 1 else _in_processes(search, jobs):
            lines += counted.lines
            patterns += counted.patterns
            progress.advance(read)
    finally:
        progress.done()
    return Counted(lines, patterns)


def _in_this_process(search: Search) -> Iterator[tuple[Counted, int]]:
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


def _in_processes(search: Search, jobs: int) -> Iterator[tuple[Counted, int]]:
    """Blocks are read here and counted in workers; only a few are in memory, however large the corpus is."""
    search.matcher()  # to report its errors here, once
    with pool(jobs, _start, search) as workers:
        waiting: dict[Future[Counted], int] = {}
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


_state: tuple[Search, ItemMatcher] | None = None  # of a worker process


def _start(search: Search) -> None:
    global _state
    _state = search, search.matcher()


def _work(block: Block) -> Counted:
    assert _state is not None  # noqa: S101 - set when the worker started
    return _count(block, _state[0].corpus, _state[1])


def _count(block: Block, corpus: Corpus, matcher: ItemMatcher) -> Counted:
    rows = list(block.rows(corpus))
    return Counted(len(rows), matcher.count(rows))
