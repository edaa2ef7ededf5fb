"""Counts an inventory in a parallel corpus: streamed, in constant memory, on all cores, and interruptible."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context

from mtprobe.corpus.inventory import Inventory
from mtprobe.corpus.lines import CorpusError
from mtprobe.corpus.matching import Matcher, Pattern
from mtprobe.corpus.parallel import Block, Corpus, blocks
from mtprobe.language.lemmas import open_lemmatizer
from mtprobe.progress import Progress, Silent

_AHEAD = 3  # blocks that wait for each worker


@dataclass(frozen=True, slots=True)
class Search:
    """All that a worker needs to know."""

    corpus: Corpus
    inventory: Inventory
    lemmatizer: tuple[str, str] | None = None  # kind and target language; None: surface forms
    source_lemmatizer: tuple[str, str] | None = None  # None: source words count as they stand

    def matcher(self) -> Matcher:
        opened = [open_lemmatizer(*one) if one else None for one in (self.lemmatizer, self.source_lemmatizer)]
        return Matcher(self.inventory, *opened)


@dataclass(frozen=True, slots=True)
class Counted:
    """How often each pattern stands in a corpus, and how many lines that has."""

    lines: int
    patterns: Counter[Pattern]


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count(search: Search, jobs: int, progress: Progress | None = None) -> Counted:
    """Counts the whole corpus; the result does not depend on the number of jobs."""
    progress = progress or Silent()
    lines, patterns = 0, Counter[Pattern]()
    progress.start("counting", search.corpus.size)
    try:
        for counted, read in _here(search) if jobs == 1 else _in_processes(search, jobs):
            lines += counted.lines
            patterns += counted.patterns
            progress.advance(read)
    finally:
        progress.done()
    return Counted(lines, patterns)


def _here(search: Search) -> Iterator[tuple[Counted, int]]:
    matcher = search.matcher()
    for block in blocks(search.corpus):
        yield _count(block, search.corpus, matcher), block.read


def _in_processes(search: Search, jobs: int) -> Iterator[tuple[Counted, int]]:
    """Blocks are read here and counted there; only a few are under way at a time, however large the corpus is."""
    search.matcher()  # what is wrong with it is told here, once
    context = get_context(
        "spawn"
    )  # a fork would copy whatever threads this process has in the middle of their work
    with ProcessPoolExecutor(jobs, context, initializer=_start, initargs=(search,)) as pool:
        waiting: dict[Future[Counted], int] = {}
        unread = blocks(search.corpus)
        try:
            while True:
                for block in islice(unread, jobs * _AHEAD - len(waiting)):
                    with _interruption_waits():  # the first one starts the processes
                        waiting[pool.submit(_work, block)] = block.read
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result(), waiting.pop(future)
        except BrokenProcessPool:
            raise CorpusError(
                "a counting process has ended before its work; if memory was short, try fewer --jobs"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interruption_waits() -> Iterator[None]:
    """An interruption is heard afterwards, and never by processes that are started inside.

    A terminal interrupts them all; only this one shall answer, and end the others.
    """
    if not hasattr(
        signal, "pthread_sigmask"
    ):  # Windows, whose terminals do the same to no harm but a traceback
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_state: tuple[Search, Matcher] | None = None  # of a worker process


def _start(search: Search) -> None:
    global _state
    _state = search, search.matcher()


def _work(block: Block) -> Counted:
    assert _state is not None  # noqa: S101 - set when the worker started
    return _count(block, _state[0].corpus, _state[1])


def _count(block: Block, corpus: Corpus, matcher: Matcher) -> Counted:
    rows = list(block.rows(corpus))
    return Counted(len(rows), matcher.count(rows))
