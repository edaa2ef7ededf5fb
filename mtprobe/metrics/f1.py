"""F1 of a category, and WinoMT's ΔG and ΔS.

A category can be missed in two ways: its samples may be read as another one (recall), and samples of others as it
(precision). F1 = 2·hits / (2·hits + misses + false alarms), exactly; published figures round intermediate results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mtprobe.methods.verdict import Result
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.statistics.intervals import Floats, Mask, cluster_difference, cluster_ratio
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Suite

MALE, FEMALE = "male", "female"
STEREOTYPE, PRO, ANTI = "stereotype", "pro", "anti"


class _Counts(NamedTuple):
    """The fate of a category, one number per cluster."""

    hits: Floats
    read: Floats  # read as this category, rightly or wrongly
    actual: Floats  # of this category

    @property
    def ratio(self) -> tuple[Floats, Floats]:
        """F1 = Σ first / Σ second."""
        return 2 * self.hits, self.read + self.actual

    def f1(self, *, rounded: bool) -> float:
        """`rounded`: precision and recall to a tenth of a percent first, as published."""
        if not rounded:
            hits, total = self.ratio
            return float(hits.sum() / total.sum())
        hits = self.hits.sum()
        precision, recall = (
            round(100 * hits / part.sum(), 1) if part.any() else 0.0 for part in (self.read, self.actual)
        )
        return float(round(2 * precision * recall / (precision + recall), 1) / 100) if hits else 0.0


def _measure(value: float, low: float, high: float, n: int) -> Measure:
    """With few samples, resampled values may all miss the value itself; its interval must not."""
    return Measure(value, max(-1.0, min(low, value)), min(1.0, max(high, value)), n)


def _reading(result: Result, categories: Sequence[str]) -> str | None:
    """What the translation was read as: as the verdict says, or by its outcome if there are two categories."""
    if result.verdict.reading is not None:
        return result.verdict.reading
    if result.verdict.outcome.value == "correct":
        return result.category
    others = [category for category in categories if category != result.category]
    return others[0] if result.verdict.outcome.value == "incorrect" and len(categories) == 2 else None


def _counts(context: MetricContext, category: str, inside: Mask) -> _Counts:
    results, categories = context.tally.results, context.categories
    read = np.array([_reading(result, categories) == category for result in results], dtype=bool)
    actual = np.array([result.category == category for result in results], dtype=bool)
    return _Counts(*(context.tally.by_cluster(part, inside) for part in (read & actual, read, actual)))


class _F1(Metric):
    name = "f1"
    about = "F1 of a category: how well translations keep it apart from the others"
    rounded = False

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        """Over decided samples of all categories."""
        tally, category = context.tally, selector.category or ""
        inside = Selector(attributes=selector.attributes).mask(tally) & tally.decided
        counts = _counts(context, category, inside)
        hits, total = counts.ratio
        if not total.any():
            return Measure.nothing(f"no decided sample is {category}, and none was read as it")
        low, high = cluster_ratio(hits, total, tally.seed, level)
        return _measure(counts.f1(rounded=self.rounded), low, high, int(inside.sum()))

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if len(brackets.names) != 1:
            example = ", ".join(suite.answered[:1]) or "female"
            raise SelectorError(f"{self.name} needs exactly one category: {self.name}[{example}]")
        if brackets.names[0] in suite.open:
            raise SelectorError(f'no answer is right in the open category "{brackets.names[0]}"')


class _F1Rounded(_F1):
    name = "f1_rounded"
    about = "the same, with precision and recall rounded to a tenth of a percent, as published"
    rounded = True


class _Difference(Metric):
    """The difference between two groups, over all categories."""

    is_share = False
    higher_is_better = None

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if brackets.names:
            raise SelectorError(f"{self.name} is taken over all categories and has no [{brackets.names[0]}]")


class _DeltaG(_Difference):
    name = "delta_g"
    about = "F1 of male minus F1 of female"
    rounded = False

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        """Above 0, the model serves men better."""
        tally = context.tally
        inside = selector.mask(tally) & tally.decided
        both = [_counts(context, gender, inside) for gender in (MALE, FEMALE)]
        if not all(counts.ratio[1].any() for counts in both):
            return Measure.nothing("no decided samples of both genders")
        male, female = (counts.f1(rounded=self.rounded) for counts in both)
        value = round(male - female, 3) if self.rounded else male - female
        low, high = cluster_difference(both[0].ratio, both[1].ratio, tally.seed, level)
        return _measure(value, low, high, int(inside.sum()))

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if not {MALE, FEMALE} <= set(suite.answered):
            raise SelectorError(f"{self.name} needs the categories {MALE} and {FEMALE} in the suite")


class _DeltaGRounded(_DeltaG):
    name = "delta_g_rounded"
    about = "the same, with intermediate results rounded, as published"
    rounded = True


class _DeltaS(_Difference):
    name = "delta_s"
    about = "accuracy on pro-stereotypical minus accuracy on anti-stereotypical samples"

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        """Above 0, the model relies on the stereotype."""
        tally = context.tally
        values, none = tally.values_of(STEREOTYPE), np.zeros(tally.n, dtype=bool)
        sides = [values.get(name, none) & selector.mask(tally) & tally.decided for name in (PRO, ANTI)]
        if not all(side.any() for side in sides):
            return Measure.nothing("no decided samples for and against the stereotype")
        pro, anti = (tally.ratio(tally.correct, side) for side in sides)
        value = float(pro[0].sum() / pro[1].sum() - anti[0].sum() / anti[1].sum())
        low, high = cluster_difference(pro, anti, tally.seed, level)
        return _measure(value, low, high, sum(int(side.sum()) for side in sides))

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if not {PRO, ANTI} <= set(map(str, suite.attributes.get(STEREOTYPE, ()))):
            raise SelectorError(
                f"{self.name} needs samples with the attribute {STEREOTYPE}, both {PRO} and {ANTI}"
            )


F1 = _F1()
F1_ROUNDED = _F1Rounded()
DELTA_G = _DeltaG()
DELTA_G_ROUNDED = _DeltaGRounded()
DELTA_S = _DeltaS()
