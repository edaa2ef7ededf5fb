"""Gap: the largest difference in accuracy between categories, or between the values of an attribute."""

from __future__ import annotations

from typing import NamedTuple

from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, answered_only, check_attribute
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask, cluster_difference, newcombe
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Suite

_CATEGORY = "category"  # gap[category] is gap


class _Group(NamedTuple):
    name: str
    samples: Mask  # the decided ones
    accuracy: float


class _Gap(Metric):
    name = "gap"
    about = "the largest difference in accuracy between categories, or between values of an attribute"
    brackets = "an attribute"
    higher_is_better = False
    compares_groups = True

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        """Best minus worst group. The interval is that of the difference between these two groups."""
        tally, groups = context.tally, _groups(context.tally, selector.over)
        if len(groups) < 2:
            return Measure.nothing(f"only {len(groups)} group{'s' * (len(groups) != 1)} with decided samples")
        best, worst = _extremes(groups)
        if tally.independent:
            low, high = newcombe(_counts(tally, best.samples), _counts(tally, worst.samples), level)
        else:
            first, second = (tally.ratio(tally.correct, group.samples) for group in (best, worst))
            low, high = cluster_difference(first, second, tally.seed, level)
        value = best.accuracy - worst.accuracy
        n = sum(int(group.samples.sum()) for group in groups)
        return Measure(value, max(0.0, low), min(1.0, high), n, f"{best.name} over {worst.name}")

    def check(self, brackets: Brackets, suite: Suite) -> None:
        if brackets.text is not None and brackets.text != _CATEGORY:
            check_attribute(brackets.text, suite)
        elif len(suite.answered) < 2:
            raise SelectorError(
                f"gap needs at least two `categories` in the suite{answered_only(suite)}, "
                "or an attribute: gap[stereotype]"
            )

    def select(self, brackets: Brackets) -> Selector:
        return Selector(over=None if brackets.text == _CATEGORY else brackets.text)

    def blamed_group(self, context: MetricContext, selector: Selector) -> Selector | None:
        groups = _groups(context.tally, selector.over)
        if len(groups) < 2:
            return None
        worst = _extremes(groups)[1].name
        return Selector(worst) if selector.over is None else Selector(attributes=((selector.over, worst),))


def _groups(tally: Tally, attribute: str | None) -> list[_Group]:
    masks = ((name, mask & tally.decided) for name, mask in tally.values_of(attribute).items())
    return [_Group(name, mask, accuracy(tally, mask).value or 0.0) for name, mask in masks if mask.any()]


def _extremes(groups: list[_Group]) -> tuple[_Group, _Group]:
    """The best and the worst group; where all are equal, the first two."""
    best, worst = (pick(groups, key=lambda group: group.accuracy) for pick in (max, min))
    return (groups[0], groups[1]) if best is worst else (best, worst)


def _counts(tally: Tally, mask: Mask) -> tuple[float, float]:
    return float((mask & tally.correct).sum()), float(mask.sum())


GAP = _Gap()
