"""The tables at the top of every report: accuracy by category, and choices where no answer is right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.metrics import Measure, MetricContext, Selector, tally
from mtprobe.metrics.accuracy import accuracy, weighted_accuracy
from mtprobe.metrics.chosen import CHOSEN
from mtprobe.metrics.correction import corrected_share
from mtprobe.metrics.false_alarms import FALSE_ALARMS
from mtprobe.metrics.gap import clearly_lowest
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
    clearly_lowest: bool = False  # and that is hardly chance
    overall: bool = False
    corrected: Measure | None = None  # by labels; None where there are none
    false_alarms: Measure | None = None  # on its controls; None where there are none


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    category: str
    choice: str
    chosen: Measure
    undecided: int  # in the category, like the next two: samples without a choice
    degenerate: int
    errors: int


def category_rows(suite: SuiteRun) -> list[CategoryRow]:
    """One row per category in the suite's order, then all samples; none if every sample is open."""
    controls = [result for result in suite.results if result.is_control]
    answered = [result for result in suite.results if not result.choices and not result.is_control]
    if not answered and suite.results:
        return []
    alarms = MetricContext(tally(controls, suite.seed))
    open_samples = [result for result in suite.results if result.choices]
    only_choices = {name for result in open_samples for name in (result.category, *result.choices)}
    only_choices -= {result.category for result in answered}
    counted = tally(answered, suite.seed)
    measures = {
        name: (accuracy(counted, mask), _weighted(counted, mask))
        for name in suite.categories
        if name not in only_choices
        for mask in [Selector(name).mask(counted)]
    }
    values = {name: plain.value for name, (plain, _) in measures.items() if plain.value is not None}
    lowest = min(values, key=lambda name: values[name]) if len(values) > 1 else None
    surely = clearly_lowest(counted, None) if len(values) > 1 else None
    rows = [
        CategoryRow(
            name,
            plain,
            weighted,
            *_counts(answered, name),
            lowest=name == lowest,
            clearly_lowest=name == surely,
            corrected=_corrected(counted, Selector(name).mask(counted)),
            false_alarms=_false_alarms(alarms, Selector(name)),
        )
        for name, (plain, weighted) in measures.items()
    ]
    everything = np.ones(counted.n, dtype=bool)
    total = accuracy(counted, everything), _weighted(counted, everything)
    corrected = _corrected(counted, everything)
    overall = CategoryRow(
        "all",
        *total,
        *_counts(answered, None),
        overall=True,
        corrected=corrected,
        false_alarms=_false_alarms(alarms, Selector()),
    )
    return [*rows, overall]


def _false_alarms(controls: MetricContext, selector: Selector) -> Measure | None:
    return FALSE_ALARMS.measure(controls, selector) if any(selector.mask(controls.tally)) else None


def _corrected(counted: Tally, mask: Mask) -> Measure | None:
    estimated = corrected_share(counted, mask)
    return estimated.at(0.95) if estimated else None


def _weighted(counted: Tally, mask: Mask) -> Measure:
    """No value if the method gives no confidence to weight by."""
    if all(result.verdict.probability is None for result in counted.results):
        return Measure.nothing()
    return weighted_accuracy(counted, mask)


def choice_rows(suite: SuiteRun) -> list[ChoiceRow]:
    """One row per choice of each open category."""
    open_samples = [result for result in suite.results if result.choices]
    counted = tally(open_samples, suite.seed)
    offered = {(result.category, choice) for result in open_samples for choice in result.choices}
    return [
        ChoiceRow(category, choice, chosen, *_counts(open_samples, category))
        for category in suite.categories
        for choice in suite.categories
        if (category, choice) in offered
        for chosen in [CHOSEN.measure(MetricContext(counted), Selector(category, choice=choice))]
    ]


def _counts(results: Iterable[Result], category: str | None) -> tuple[int, int, int]:
    outcomes = [
        result.verdict.outcome for result in results if category is None or result.category == category
    ]
    return (
        outcomes.count(Outcome.UNDECIDED),
        outcomes.count(Outcome.DEGENERATE),
        outcomes.count(Outcome.ERROR),
    )
