"""What a method measures besides accuracy: discrepancy, pair accuracy and bias of minimal pairs, senses of a lexicon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mtprobe.methods.verdict import REFERENCE, TRANSLATION
from mtprobe.metrics import METRICS, UNBOUNDED, Measure, tally
from mtprobe.metrics.bias import bias
from mtprobe.metrics.discrepancy import discrepancy, discrepancy_clipped
from mtprobe.metrics.f1 import FEMALE, MALE, delta_g, delta_s, f1
from mtprobe.metrics.pairs import pair_accuracy
from mtprobe.metrics.tally import Tally
from mtprobe.records import SuiteRun
from mtprobe.report.senses import sense_numbers
from mtprobe.statistics.intervals import Mask


@dataclass(frozen=True, slots=True)
class FurtherRow:
    """A number that has a line of its own; `key` is how a gate would name it."""

    key: str
    about: str
    measure: Measure

    @property
    def share(self) -> bool:
        """Whether it lies between 0 and 1, so that it can be drawn on a line."""
        return self.key.partition("[")[0] not in UNBOUNDED


def further_rows(suite: SuiteRun) -> list[FurtherRow]:
    """Only what could be measured."""
    counted = tally(suite.results, suite.seed, suite.variants)
    return [row for row in _rows(suite, counted) if row.measure.value is not None]


def _rows(suite: SuiteRun, counted: Tally) -> Iterator[FurtherRow]:
    sides = {one.side for result in suite.results for one in result.verdict.evidence}
    if TRANSLATION in sides and REFERENCE not in sides:
        for name, mask in _groups(suite, counted):
            yield _row(f"discrepancy{name}", discrepancy(counted, mask))
        for name, mask in _groups(suite, counted):
            yield _row(f"discrepancy_clipped{name}", discrepancy_clipped(counted, mask))
    names = sorted(
        {
            name
            for result in suite.results
            for one in result.verdict.evidence
            if one.side != TRANSLATION and one.score is not None
            for name in one.attributes
        }
    )
    everything = np.ones(counted.n, dtype=bool)
    if any(result.verdict.reading is not None for result in suite.results):
        yield from _of_readings(suite, counted, everything)
    if names:
        yield _row("pair_accuracy", pair_accuracy(counted, everything))
    for name in names:
        yield _row(f"bias[{name}]", bias(counted, name, everything))
    for key, found in sense_numbers(suite, counted):
        yield _row(key, found)


def _of_readings(suite: SuiteRun, counted: Tally, everything: Mask) -> Iterator[FurtherRow]:
    """F1 of each category that has a right answer, ΔG and ΔS."""
    answered = [
        category
        for category in suite.categories
        if any(result.category == category and not result.choices for result in suite.results)
    ]
    for category in answered:
        yield _row(f"f1[{category}]", f1(counted, category, everything, answered))
    if {MALE, FEMALE} <= set(answered):
        yield _row("delta_g", delta_g(counted, everything, answered))
    yield _row("delta_s", delta_s(counted, everything))


def _groups(suite: SuiteRun, counted: Tally) -> Iterator[tuple[str, Mask]]:
    """Each category, where there are several, then all samples."""
    if len(suite.categories) > 1:
        for category in suite.categories:
            yield f"[{category}]", counted.where(category, ())
    yield "", np.ones(counted.n, dtype=bool)


def _row(key: str, measure: Measure) -> FurtherRow:
    return FurtherRow(key, METRICS[key.partition("[")[0]], measure)
