"""How far a suite has come: what can be told of it when its run is stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from threading import Event

from mtprobe.methods import Method
from mtprobe.methods.verdict import Result
from mtprobe.progress import Progress, Silent
from mtprobe.records import Interruption, SuiteRun
from mtprobe.suite.sample import Suite

TRANSLATING = "translating"


class Stopped(BaseException):
    """The run was stopped; raised where the work is done, so no `except Exception` may keep it."""


class Underway:
    """Passes progress on, remembers it, and ends the work at its next step once the run is stopped."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress or Silent()
        self._stopped = Event()
        self._stage = ""
        self.samples = 0
        self.judged = 0  # by the method that is at work
        self.sentences = 0  # that differ
        self.translated = 0
        self._methods: tuple[str, ...] = ()
        self.finished: list[SuiteRun] = []  # one for each method that has judged all samples

    def begin(self, suite: Suite, methods: Sequence[Method], sources: Sequence[str]) -> None:
        """What is to be done: the samples to be judged, and the sources to be translated before."""
        self._methods = tuple(method.name for method in methods)
        self.samples = len(suite.samples)
        self.sentences = len(set(sources))

    def counted(self, results: Iterable[Result]) -> Iterator[Result]:
        """The results of one method as they come."""
        self.judged = 0
        for result in results:
            self.judged += 1
            yield result
        self._go_on()

    def stop(self) -> None:
        """From another thread."""
        self._stopped.set()

    def start(self, stage: str, total: int) -> None:
        self._go_on()
        self._stage = stage
        if stage == TRANSLATING:
            self.translated = self.sentences - total
        self._progress.start(stage, total)

    def advance(self, steps: int) -> None:
        if self._stage == TRANSLATING:
            self.translated += steps
        self._progress.advance(steps)
        self._go_on()

    def done(self) -> None:
        self._progress.done()
        self._stage = "judging"
        self._go_on()

    def note(self, text: str) -> None:
        self._progress.note(text)

    def _go_on(self) -> None:
        if self._stopped.is_set():
            raise Stopped

    def interruption(self) -> Interruption:
        return Interruption(self.samples, self.judged, self.sentences, self.translated)

    def reason(self) -> str:
        """`interrupted while translating: 120 of 500 sentences translated, 0 of 500 samples judged`."""
        facts = []
        if self.sentences:
            facts.append(f"{self.translated:,} of {self.sentences:,} sentences translated")
        left = self._methods[len(self.finished) :]
        by = f" by {left[0]}" if left and len(self._methods) > 1 else ""
        facts.append(f"{self.judged:,} of {self.samples:,} samples judged{by}")
        return f"interrupted{f' while {self._stage}' if self._stage else ''}: {', '.join(facts)}"
