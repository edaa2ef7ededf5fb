"""A slow lemmatizer on all cores: once it has worked as long as more processes take to start, they are started."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import Lemmatizer, Token
from mtprobe.system.cores import share_of_cores
from mtprobe.system.processes import interruption_waits, pool

_START = 5.0  # seconds: what new processes take to import and to read their models, about
_PORTION = 200  # sentences that a process is given at a time
_REMEMBERED = 1 << 15  # sentences: those of a suite are asked for again by another method or model


class SharedWork:
    """The same tokens as the lemmatizer itself gives, whoever finds them."""

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
        new = [one for one in dict.fromkeys(sentences) if one not in self._known]
        if len(self._known) + len(new) > _REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(sentences))
        portions = [new[at : at + _PORTION] for at in range(0, len(new), _PORTION)]
        while portions and (self._worked < self._start or len(portions) == 1 or share_of_cores() == 1):
            self._keep(portions[0], self._in_this_process(portions.pop(0)))
        if portions:
            self._in_processes(portions)
        return [self._known[one] for one in sentences]

    def _keep(self, sentences: Sequence[str], found: Sequence[list[Token]]) -> None:
        self._known.update(zip(sentences, found, strict=True))

    def _in_this_process(self, sentences: Sequence[str]) -> list[list[Token]]:
        began = time.perf_counter()
        found = self._here.lemmatize(sentences)
        self._worked += time.perf_counter() - began
        return found

    def _in_processes(self, portions: Sequence[Sequence[str]]) -> None:
        if self._pool is None:
            self._pool = pool(share_of_cores(), _start, self._open_one)
        under_way: list[Future[list[list[Token]]]] = []
        try:
            with interruption_waits():  # the first one starts the processes
                under_way += [self._pool.submit(_work, portion) for portion in portions]
            for portion, future in zip(portions, under_way, strict=True):
                self._keep(portion, future.result())
        except BrokenProcessPool:
            self._pool = None
            raise MtprobeError(
                f"{self.name}: a process has ended in the middle of its work; perhaps memory was short"
            ) from None
        finally:
            for future in under_way:
                future.cancel()


_lemmatizer: Lemmatizer | None = None  # of a process that was started here


def _start(open_one: Callable[[], Lemmatizer]) -> None:
    global _lemmatizer
    _lemmatizer = open_one()
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # the other cores have processes of their own


def _work(sentences: Sequence[str]) -> list[list[Token]]:
    assert _lemmatizer is not None  # noqa: S101 - set when the process started
    return _lemmatizer.lemmatize(sentences)
