"""Additional results of a method besides accuracy: discrepancy, pair accuracy and bias of minimal pairs, senses of a lexicon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from mtprobe.methods.verdict import REFERENCE, TRANSLATION
from mtprobe.metrics import Measure, Metric, MetricContext, Selector, answered, tally
from mtprobe.metrics.accuracy import PAIR_ACCURACY
from mtprobe.metrics.bias import BIAS
from mtprobe.metrics.discrepancy import DISCREPANCY, DISCREPANCY_CLIPPED
from mtprobe.metrics.f1 import DELTA_G, DELTA_S, F1, FEMALE, MALE
from mtprobe.records import SuiteRun
from mtprobe.report.breakdown import variants_in
from mtprobe.report.senses import sense_numbers


@dataclass(frozen=True, slots=True)
class FurtherRow:
    """A number that has a line of its own."""

    metric: Metric
    selector: Selector
    measure: Measure

    @property
    def key(self) -> str:
        """As written in a gate."""
        return f"{self.metric.name}{self.selector}"


def further_rows(suite: SuiteRun) -> list[FurtherRow]:
    """Only those that have a value."""
    present = [
        category
        for category in answered(suite.categories, suite.results)
        if any(result.category == category for result in suite.results)
    ]
    context = MetricContext(tally(suite.results, suite.seed, suite.variants), present)
    rows = (
        FurtherRow(metric, selector, metric.measure(context, selector))
        for metric, selector in _numbers(suite, present)
    )
    return [row for row in rows if row.measure.value is not None]


def _numbers(suite: SuiteRun, present: Sequence[str]) -> Iterator[tuple[Metric, Selector]]:
    sides = {evidence.side for result in suite.results for evidence in result.verdict.evidence}
    if TRANSLATION in sides and REFERENCE not in sides:
        categories = suite.categories if len(suite.categories) > 1 else ()
        yield from product((DISCREPANCY, DISCREPANCY_CLIPPED), (*map(Selector, categories), Selector()))
    if any(result.verdict.reading is not None for result in suite.results):
        yield from ((F1, Selector(category)) for category in present)
        if {MALE, FEMALE} <= set(present):
            yield DELTA_G, Selector()
        yield DELTA_S, Selector()
    variants = sorted(variants_in(suite))
    if variants:
        yield PAIR_ACCURACY, Selector()
    yield from ((BIAS, Selector(over=name)) for name in variants)
    yield from sense_numbers(suite)
