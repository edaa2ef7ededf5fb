"""The tables that every report starts with: accuracies by category, and choices where no answer is right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.metrics import Context, Measure, Selector, tally
from mtprobe.metrics.accuracy import accuracy, weighted_accuracy
from mtprobe.metrics.chosen import CHOSEN
from mtprobe.metrics.tally import Tally
from mtprobe.records import SuiteRun
from mtprobe.statistics.intervals import Mask


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


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    category: str
    choice: str
    chosen: Measure
    undecided: int  # of the category, as the next two: such a sample made no choice
    degenerate: int
    errors: int


def category_rows(suite: SuiteRun) -> list[CategoryRow]:
    """A row a category in the suite's order, then all samples together; none where no answer could be right."""
    answered = [one for one in suite.results if not one.choices]
    if not answered and suite.results:
        return []
    only_choices = _open_or_chosen(suite) - {one.category for one in answered}
    counted = tally(answered, suite.seed)
    found = {
        name: (accuracy(counted, mask), _weighted(counted, mask))
        for name in suite.categories
        if name not in only_choices
        for mask in [counted.where(name, ())]
    }
    values = {name: plain.value for name, (plain, _) in found.items() if plain.value is not None}
    lowest = min(values, key=lambda name: values[name]) if len(values) > 1 else None
    rows = [
        CategoryRow(name, plain, weighted, *_counts(answered, name), lowest=name == lowest)
        for name, (plain, weighted) in found.items()
    ]
    everything = np.ones(counted.n, dtype=bool)
    total = accuracy(counted, everything), _weighted(counted, everything)
    return [*rows, CategoryRow("all", *total, *_counts(answered, None), overall=True)]


def _weighted(counted: Tally, mask: Mask) -> Measure:
    """Nothing where the method knows no confidence to weigh by."""
    if all(one.verdict.probability is None for one in counted.results):
        return Measure.nothing()
    return weighted_accuracy(counted, mask)


def choice_rows(suite: SuiteRun) -> list[ChoiceRow]:
    """A row for each choice of each open category."""
    opened = [one for one in suite.results if one.choices]
    counted = tally(opened, suite.seed)
    offered = {(one.category, choice) for one in opened for choice in one.choices}
    return [
        ChoiceRow(category, choice, _chosen(counted, category, choice), *_counts(opened, category))
        for category in suite.categories
        for choice in suite.categories
        if (category, choice) in offered
    ]


def _chosen(counted: Tally, category: str, choice: str) -> Measure:
    return CHOSEN.measure(Context(counted), Selector(category, choice=choice))


def _open_or_chosen(suite: SuiteRun) -> set[str | None]:
    return {name for one in suite.results if one.choices for name in (one.category, *one.choices)}


def _counts(results: Iterable[Result], category: str | None) -> tuple[int, int, int]:
    inside = [one.verdict.outcome for one in results if category is None or one.category == category]
    return inside.count(Outcome.UNDECIDED), inside.count(Outcome.DEGENERATE), inside.count(Outcome.ERROR)
