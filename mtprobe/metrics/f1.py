"""F1 of a category, and WinoMT's ΔG and ΔS.

A category can be missed in two ways: its samples may be read as another one (recall), and samples of others as it
(precision). F1 = 2·hits / (2·hits + misses + false alarms), exactly; published figures round intermediate results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mtprobe.metrics.metric import Context, Metric
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Floats, Mask, cluster_difference, cluster_ratio
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Suite

MALE, FEMALE = "male", "female"
STEREOTYPE, PRO, ANTI = "stereotype", "pro", "anti"


class _Counts(NamedTuple):
    """The fate of a category, one number per sample."""

    hits: Floats
    read: Floats  # read as this category, rightly or wrongly
    actual: Floats  # of this category

    @property
    def ratio(self) -> tuple[Floats, Floats]:
        """F1 = Σ first / Σ second."""
        return 2 * self.hits, self.read + self.actual


def f1(
    tally: Tally,
    category: str,
    mask: Mask,
    categories: Sequence[str],
    level: float = 0.95,
    *,
    rounded: bool = False,
) -> Measure:
    """F1 over decided samples. `rounded`: precision and recall to a tenth of a percent first, as published."""
    inside = mask & tally.decided
    counts = _counts(tally, category, inside, categories)
    if not (counts.read + counts.actual).any():
        return Measure.nothing(f"no decided sample is {category}, and none was read as it")
    value = _rounded(counts) if rounded else _exact(counts)
    hits, total = (tally.by_cluster(part, inside) for part in counts.ratio)
    low, high = cluster_ratio(hits, total, tally.seed, level)
    return _measure(value, low, high, int(inside.sum()))


def delta_g(
    tally: Tally, mask: Mask, categories: Sequence[str], level: float = 0.95, *, rounded: bool = False
) -> Measure:
    """F1 of male minus F1 of female: above 0, the model serves men better."""
    inside = mask & tally.decided
    both = [_counts(tally, gender, inside, categories) for gender in (MALE, FEMALE)]
    if not all((counts.read + counts.actual).any() for counts in both):
        return Measure.nothing("no decided samples of both genders")
    male, female = ((_rounded if rounded else _exact)(counts) for counts in both)
    male_ratio, female_ratio = (
        (tally.by_cluster(hits, inside), tally.by_cluster(total, inside))
        for hits, total in (counts.ratio for counts in both)
    )
    value = round(male - female, 3) if rounded else male - female
    low, high = cluster_difference(male_ratio, female_ratio, tally.seed, level)
    return _measure(value, low, high, int(inside.sum()))


def delta_s(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Accuracy with the stereotype minus accuracy against it: above 0, the model relies on it."""
    values = tally.values_of(STEREOTYPE)
    none = np.zeros(tally.n, dtype=bool)
    sides = [values.get(name, none) & mask & tally.decided for name in (PRO, ANTI)]
    if not all(side.any() for side in sides):
        return Measure.nothing("no decided samples for and against the stereotype")
    correct = tally.correct.astype(np.float64)
    pro, anti = (
        (tally.by_cluster(correct, side), tally.by_cluster(np.ones(tally.n), side)) for side in sides
    )
    value = float(pro[0].sum() / pro[1].sum() - anti[0].sum() / anti[1].sum())
    low, high = cluster_difference(pro, anti, tally.seed, level)
    return _measure(value, low, high, sum(int(side.sum()) for side in sides))


def _measure(value: float, low: float, high: float, n: int) -> Measure:
    """With few samples, resampled values may all miss the value itself; its interval must not."""
    return Measure(value, max(-1.0, min(low, value)), min(1.0, max(high, value)), n)


def readings(tally: Tally, categories: Sequence[str]) -> list[str | None]:
    """What each translation was read as: as the verdict says, or by its outcome if there are two categories."""
    return [_reading(tally, index, categories) for index in range(tally.n)]


def _reading(tally: Tally, index: int, categories: Sequence[str]) -> str | None:
    result = tally.results[index]
    if result.verdict.reading is not None:
        return result.verdict.reading
    if result.verdict.outcome.value == "correct":
        return result.category
    others = [category for category in categories if category != result.category]
    return others[0] if result.verdict.outcome.value == "incorrect" and len(categories) == 2 else None


def _counts(tally: Tally, category: str, inside: Mask, categories: Sequence[str]) -> _Counts:
    read = np.array([reading == category for reading in readings(tally, categories)], dtype=bool)
    actual = np.array([result.category == category for result in tally.results], dtype=bool)
    hits, read, actual = read & actual & inside, read & inside, actual & inside
    return _Counts(hits.astype(np.float64), read.astype(np.float64), actual.astype(np.float64))


def _exact(counts: _Counts) -> float:
    hits, total = counts.ratio
    return float(hits.sum() / total.sum())


def _rounded(counts: _Counts) -> float:
    hits = counts.hits.sum()
    precision, recall = (
        round(100 * hits / part.sum(), 1) if part.any() else 0.0 for part in (counts.read, counts.actual)
    )
    return float(round(2 * precision * recall / (precision + recall), 1) / 100) if hits else 0.0


class _F1(Metric):
    name = "f1"
    about = "F1 of a category: how well translations keep it apart from the others"
    rounded = False

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        mask = context.tally.where(None, selector.attributes)
        category = selector.category or ""
        return f1(context.tally, category, mask, context.categories, level, rounded=self.rounded)

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

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        mask = selector.mask(context.tally)
        return delta_g(context.tally, mask, context.categories, level, rounded=self.rounded)

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

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        return delta_s(context.tally, selector.mask(context.tally), level)

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
