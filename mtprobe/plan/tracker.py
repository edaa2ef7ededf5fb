"""Tracks the progress of a suite, for display and for reports on interrupted runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from threading import Event

from mtprobe.methods.verdict import Result
from mtprobe.plan.suite import SuitePlan
from mtprobe.progress import Progress, Silent, Stopped
from mtprobe.records import Interruption, SuiteRun

TRANSLATING = "translating"


class Tracker:
    """Passes progress on, remembers it, and ends the work at its next step once the run is stopped."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress or Silent()
        self._stopped = Event()
        self._stage = ""
        self._methods: tuple[str, ...] = ()
        self._judged = "samples"
        self.samples = 0  # with repeats, translations of them
        self.judged = 0  # by the current method
        self.sentences = 0  # distinct ones
        self.translated = 0
        self.finished: list[SuiteRun] = []  # one for each method that has judged all samples

    def begin(self, plan: SuitePlan, sources: Sequence[str]) -> None:
        self._methods = tuple(method.name for method in plan.methods)
        self.samples = len(plan.suite.samples) * plan.repeats
        self._judged = "translations" if plan.repeats > 1 else "samples"
        self.sentences = len(set(sources))

    def count(self, results: Iterable[Result]) -> Iterator[Result]:
        """The results of one method as they arrive."""
        self.judged = 0
        for result in results:
            self.judged += 1
            yield result
        self._check()

    def stop(self) -> None:
        """Called from another thread."""
        self._stopped.set()

    def start(self, stage: str, total: int) -> None:
        self._check()
        self._stage = stage
        if stage == TRANSLATING:
            self.translated = self.sentences - total
        self._progress.start(stage, total)

    def advance(self, steps: int) -> None:
        if self._stage == TRANSLATING:
            self.translated += steps
        self._progress.advance(steps)
        self._check()

    def done(self) -> None:
        self._progress.done()
        self._stage = "judging"
        self._check()

    def note(self, text: str) -> None:
        self._progress.note(text)

    def _check(self) -> None:
        if self._stopped.is_set():
            raise Stopped

    def interruption(self) -> Interruption:
        return Interruption(self.samples, self.judged, self.sentences, self.translated)

    def reason(self) -> str:
        """`interrupted while translating: 120 of 500 sentences translated, 0 of 500 samples judged`."""
        facts = []
        if self.sentences:
            facts.append(f"{self.translated:,} of {self.sentences:,} sentences translated")
        remaining = self._methods[len(self.finished) :]
        by = f" by {remaining[0]}" if remaining and len(self._methods) > 1 else ""
        facts.append(f"{self.judged:,} of {self.samples:,} {self._judged} judged{by}")
        return f"interrupted{f' while {self._stage}' if self._stage else ''}: {', '.join(facts)}"
