"""Minimum accuracy: the lowest category's. A model is only as good as it is for the group it serves worst."""

from __future__ import annotations

from mtprobe.metrics.accuracy import ACCURACY, WEIGHTED_ACCURACY
from mtprobe.metrics.metric import Context, Metric
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, answered_only, check_empty
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Suite


class _Minimum(Metric):
    """The lowest category's value of another metric."""

    brackets = ""
    of: Metric

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        """The interval clears a bound when every category's does, and misses it when any category's does."""
        measures = self._by_category(context, level)
        for category, measure in measures.items():
            if measure.value is None:
                return Measure.nothing(f"no decided sample of category {category}")
        lowest = _lowest(measures)
        return Measure(
            measures[lowest].value,
            min(measure.low for measure in measures.values()),
            min(measure.high for measure in measures.values()),
            sum(measure.n for measure in measures.values()),
            lowest,
        )

    def check(self, brackets: Brackets, suite: Suite) -> None:
        check_empty(self.name, brackets)
        if not suite.answered:
            raise SelectorError(f"{self.name} needs `categories` in the suite{answered_only(suite)}")

    def select(self, brackets: Brackets) -> Selector:
        return Selector()

    def blamed_group(self, context: Context, selector: Selector) -> Selector | None:
        measures = self._by_category(context)
        if any(measure.value is None for measure in measures.values()):
            return None
        return Selector(_lowest(measures))

    def _by_category(self, context: Context, level: float = 0.95) -> dict[str, Measure]:
        return {
            category: self.of.measure(context, Selector(category), level) for category in context.categories
        }


class _MinimumAccuracy(_Minimum):
    name = "minimum_accuracy"
    about = "the lowest category's accuracy"
    of = ACCURACY


class _MinimumWeightedAccuracy(_Minimum):
    name = "minimum_weighted_accuracy"
    about = "the lowest category's weighted accuracy: the paper's minimum accuracy"
    of = WEIGHTED_ACCURACY


def _lowest(measures: dict[str, Measure]) -> str:
    return min(measures, key=lambda category: measures[category].value or 0.0)


MINIMUM_ACCURACY = _MinimumAccuracy()
MINIMUM_WEIGHTED_ACCURACY = _MinimumWeightedAccuracy()
