"""F1 of a category, and WinoMT's ΔG and ΔS.

A category can be missed in two ways: its samples may be read as another one (recall), and samples of others as it
(precision). F1 = 2·hits / (2·hits + misses + false alarms), exactly; published figures round intermediate results.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mtprobe.methods.verdict import Result
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.clustered import Ratio, difference
from mtprobe.statistics.estimates import Estimate, Rounded
from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.statistics.measure import Estimated
from mtprobe.suite.sample import Suite

MALE, FEMALE = "male", "female"
STEREOTYPE, PRO, ANTI = "stereotype", "pro", "anti"


class _Counts(NamedTuple):
    """The fate of a category, one number per cluster."""

    hits: Floats
    read: Floats  # read as this category, rightly or wrongly
    actual: Floats  # of this category

    @property
    def any(self) -> bool:
        """Whether there is an F1."""
        return bool(self.read.any() or self.actual.any())

    @property
    def f1(self) -> Ratio:
        """A sample that is read rightly is in both the read and the actual ones, and weighs twice."""
        weights = self.read.sum() + self.actual.sum()
        samples = weights**2 / (weights + 2 * self.hits.sum())
        return Ratio(2 * self.hits, self.read + self.actual, float(samples))

    @property
    def rounded(self) -> float:
        """F1 from precision and recall rounded to a tenth of a percent, as published."""
        hits = self.hits.sum()
        precision, recall = (
            round(100 * hits / part.sum(), 1) if part.any() else 0.0 for part in (self.read, self.actual)
        )
        return float(round(2 * precision * recall / (precision + recall), 1) / 100) if hits else 0.0


def _reading(result: Result, categories: Sequence[str]) -> str | None:
    """The reading of the translation: as in the verdict, or by its outcome if there are two categories."""
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
    about = "F1 of a category: how well translations distinguish it from the others"
    rounded = False

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """Over decided samples of all categories."""
        tally, category = context.tally, selector.category or ""
        inside = Selector(attributes=selector.attributes).mask(tally) & tally.decided
        counts = _counts(context, category, inside)
        if not counts.any:
            return Estimated.nothing(f"no decided sample is {category}, and none was read as it")
        estimate: Estimate = counts.f1.share
        if self.rounded:
            estimate = Rounded(counts.rounded, estimate)
        return Estimated(estimate, tally.count(inside))

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if len(brackets.names) != 1:
            example = ", ".join(suite.answered[:1]) or "female"
            raise SelectorError(f"{self.name} needs exactly one category: {self.name}[{example}]")
        if brackets.names[0] in suite.open:
            raise SelectorError(f'no answer is right in the open category "{brackets.names[0]}"')


class _F1Rounded(_F1):
    name = "f1_rounded"
    about = "f1 with precision and recall rounded to a tenth of a percent, as published"
    rounded = True


class _Difference(Metric):
    """The difference between two groups, over all categories."""

    is_share = False
    higher_is_better = None

    def extremes(self, context: MetricContext, selector: Selector) -> Iterator[MetricContext]:
        """Also with the withheld verdicts of one group right and all others wrong, where they differ most."""
        yield from super().extremes(context, selector)
        if context.tally.extremes:
            for group in self.groups(context.tally):
                yield replace(context, tally=context.tally.assuming(group))

    @abstractmethod
    def groups(self, tally: Tally) -> Sequence[Mask]:
        """The two groups that are compared."""

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if brackets.names:
            raise SelectorError(f"{self.name} is taken over all categories and has no [{brackets.names[0]}]")


class _DeltaG(_Difference):
    name = "delta_g"
    about = "F1 of male minus F1 of female"
    rounded = False

    def groups(self, tally: Tally) -> Sequence[Mask]:
        return [Selector(gender).mask(tally) for gender in (MALE, FEMALE)]

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """Above 0, the model serves men better."""
        tally = context.tally
        inside = selector.mask(tally) & tally.decided
        both = male, female = [_counts(context, gender, inside) for gender in (MALE, FEMALE)]
        if not all(counts.any for counts in both):
            return Estimated.nothing("no decided samples of both genders")
        estimate: Estimate = difference(male.f1, female.f1)
        if self.rounded:
            estimate = Rounded(round(male.rounded - female.rounded, 3), estimate)
        return Estimated(estimate, tally.count(inside))

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if not {MALE, FEMALE} <= set(suite.answered):
            raise SelectorError(f"{self.name} needs the categories {MALE} and {FEMALE} in the suite")


class _DeltaGRounded(_DeltaG):
    name = "delta_g_rounded"
    about = "delta_g with intermediate results rounded, as published"
    rounded = True


class _DeltaS(_Difference):
    name = "delta_s"
    about = "accuracy on pro-stereotypical minus accuracy on anti-stereotypical samples"

    def groups(self, tally: Tally) -> Sequence[Mask]:
        values, none = tally.values_of(STEREOTYPE), np.zeros(tally.n, dtype=bool)
        return [values.get(name, none) for name in (PRO, ANTI)]

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """Above 0, the model relies on the stereotype."""
        tally = context.tally
        sides = [group & selector.mask(tally) & tally.decided for group in self.groups(tally)]
        if not all(side.any() for side in sides):
            return Estimated.nothing("no decided samples for and against the stereotype")
        pro, anti = (tally.ratio(tally.correct, side) for side in sides)
        return Estimated(difference(pro, anti), sum(map(tally.count, sides)))

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
