"""The table that every report starts with: each category's accuracy and what else became of its samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import Measure, tally
from mtprobe.metrics.accuracy import accuracy, weighted_accuracy
from mtprobe.record import SuiteRun


@dataclass(frozen=True, slots=True)
class CategoryRow:
    name: str
    accuracy: Measure
    weighted: Measure
    undecided: int
    degenerate: int
    errors: int
    lowest: bool = False  # the minimum accuracy is this one
    overall: bool = False


def category_rows(suite: SuiteRun) -> list[CategoryRow]:
    """A row a category in the suite's order, then all samples together."""
    counted = tally(suite.results, suite.seed)
    found = {
        name: (accuracy(counted, mask), weighted_accuracy(counted, mask))
        for name in suite.categories
        for mask in [counted.where(name, ())]
    }
    values = {name: plain.value for name, (plain, _) in found.items() if plain.value is not None}
    lowest = min(values, key=lambda name: values[name]) if len(values) > 1 else None
    rows = [
        CategoryRow(name, plain, weighted, *_counts(suite, name), lowest=name == lowest)
        for name, (plain, weighted) in found.items()
    ]
    everything = np.ones(counted.n, dtype=bool)
    total = accuracy(counted, everything), weighted_accuracy(counted, everything)
    return [*rows, CategoryRow("all", *total, *_counts(suite, None), overall=True)]


def _counts(suite: SuiteRun, category: str | None) -> tuple[int, int, int]:
    inside = [one.verdict.outcome for one in suite.results if category is None or one.category == category]
    return inside.count(Outcome.UNDECIDED), inside.count(Outcome.DEGENERATE), inside.count(Outcome.ERROR)
