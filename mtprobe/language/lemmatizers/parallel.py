"""Runs a slow lemmatizer on all cores, once it has run for as long as starting more processes takes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers.libraries import Lemmatizer, Token
from mtprobe.system.cores import share_of_cores
from mtprobe.system.processes import interruption_waits, pool

_START = 5.0  # seconds that new processes take to import and to read their models, roughly
_PORTION = 200  # sentences per request to a process
_REMEMBERED = 1 << 15  # sentences: another method or model needs those of a suite again


class SharedWork:
    """Returns the same tokens as the lemmatizer itself."""

    def __init__(self, open_one: Callable[[], Lemmatizer], start: float = _START) -> None:
        """`open_one` is called in every process, so it must be a function that can be named."""
        self._open_one = open_one
        self._here = open_one()
        self.name = self._here.name
        self._start = start
        self._worked = 0.0
        self._pool: ProcessPoolExecutor | None = None
        self._known: dict[str, list[Token]] = {}

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in self._known]
        if len(self._known) + len(new) > _REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(sentences))
        portions = [new[at : at + _PORTION] for at in range(0, len(new), _PORTION)]
        while portions and (self._worked < self._start or len(portions) == 1 or share_of_cores() == 1):
            portion = portions.pop(0)
            began = time.perf_counter()
            self._keep(portion, self._here.lemmatize(portion))
            self._worked += time.perf_counter() - began
        if portions:
            self._in_processes(portions)
        return [self._known[sentence] for sentence in sentences]

    def _keep(self, sentences: Sequence[str], found: Sequence[list[Token]]) -> None:
        self._known.update(zip(sentences, found, strict=True))

    def _in_processes(self, portions: Sequence[Sequence[str]]) -> None:
        if self._pool is None:
            self._pool = pool(share_of_cores(), _start, self._open_one)
        futures: list[Future[list[list[Token]]]] = []
        try:
            with interruption_waits():  # the first one starts the processes
                futures += [self._pool.submit(_work, portion) for portion in portions]
            for portion, future in zip(portions, futures, strict=True):
                self._keep(portion, future.result())
        except BrokenProcessPool:
            self._pool = None
            raise MtprobeError(f"{self.name}: a worker process died; perhaps memory ran out") from None
        finally:
            for future in futures:
                future.cancel()


_lemmatizer: Lemmatizer | None = None  # of a process that was started here


def _start(open_one: Callable[[], Lemmatizer]) -> None:
    global _lemmatizer
    _lemmatizer = open_one()
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # the other processes use the other cores


def _work(sentences: Sequence[str]) -> list[list[Token]]:
    assert _lemmatizer is not None  # noqa: S101 - set when the process started
    return _lemmatizer.lemmatize(sentences)
