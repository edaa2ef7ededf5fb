"""Results with human labels of their translations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mtprobe.methods.verdict import Outcome, Result, first_repeat
from mtprobe.suite.labels import Label
from mtprobe.suite.sample import Suite

_GROWN = 1.05  # times as many samples as there were when the labels were drawn


def waits_for_label(result: Result) -> bool:
    """Whether the sample was drawn and its present translation has no label. Degenerate outputs need none."""
    wanted = result.verdict.outcome not in (Outcome.DEGENERATE, Outcome.ERROR)
    return result.drawn is not None and not result.label and wanted


def missing_labels(waiting: int, drawn: int) -> str:
    """`12 of 100 samples drawn have no label …`."""
    have = "has no label for its" if waiting == 1 else "have no label for their"
    return (
        f"{waiting:,} of {drawn:,} samples drawn {have} present translation: `mtprobe label RECORD --missing`"
    )


class SuiteLabels:
    """A suite's labels of translations into one language, by what they belong to."""

    def __init__(self, suite: Suite, target: str) -> None:
        self.lines = suite.label_lines_for(target)
        ids = {sample.id for sample in suite.samples} if self.lines else set()
        self._labels: dict[tuple[str, str], Label] = {}
        self._own: dict[tuple[str, str, str], Label] = {}
        self._drawn: dict[str, float] = {}  # by id
        self._renamed: dict[str, float] = {}  # by source, of samples that have another id now
        for line in self.lines:
            if line.label:
                self._labels.setdefault(line.key, line)
                self._own[(line.id, *line.key)] = line
            if line.probability is not None:
                self._drawn[line.id] = line.probability
                if line.id not in ids:
                    self._renamed[line.source] = line.probability

    def added_to(self, results: Sequence[Result]) -> tuple[Result, ...]:
        """The results with their labels. A drawn sample stays drawn when its translation changes."""
        return tuple(map(self._labelled, results)) if self.lines else tuple(results)

    def _labelled(self, result: Result) -> Result:
        key = result.source, result.translation or ""
        label = self._own.get((result.id, *key)) or self._labels.get(key)
        # Of several translations the first is drawn: its samples are a random part of all translations.
        drawn = self._drawn.get(result.id, self._renamed.get(result.source)) if result.is_first else None
        if label is None and drawn is None:
            return result
        return replace(result, label=label.label if label else "", drawn=drawn)

    def labelled_by(self, results: Iterable[Result]) -> tuple[str, ...]:
        """Who labelled these results."""
        lines = (self._labels.get((result.source, result.translation or "")) for result in results)
        return tuple(dict.fromkeys(line.labelled_by for line in lines if line and line.labelled_by))

    def notes(self, results: Sequence[Result]) -> Iterator[str]:
        """The reasons why these labels cannot correct the numbers."""
        if problem := self.problem(results):
            yield f"the labels cannot correct anything: {problem}"
        drawn = [result for result in results if result.drawn and not result.choices]
        waiting = sum(waits_for_label(result) for result in drawn)
        if waiting:
            yield missing_labels(waiting, len(drawn))

    def problem(self, results: Sequence[Result]) -> str:
        """Why the labels are no random sample of these results; empty if they are."""
        if not self._drawn:
            return "no sample was drawn at random" if self.lines else ""
        size = sum(1 / probability for probability in self._drawn.values())
        samples = len(first_repeat(results))
        if samples <= size * _GROWN:
            return ""
        return (
            f"they were drawn from {size:,.0f} samples, and there are {samples:,} now: draw them again, "
            "`mtprobe label RECORD -n 100`"
        )
