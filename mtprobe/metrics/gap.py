"""Gap: the largest difference in accuracy between categories, or between the values of an attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mtprobe.metrics.correction import corrected_gap
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, answered_only, check_attribute
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.bounded import BoundedGap
from mtprobe.statistics.clustered import Ratio, correlations, difference
from mtprobe.statistics.estimates import adjusted
from mtprobe.statistics.extremes import LargestGap
from mtprobe.statistics.measure import Estimated
from mtprobe.statistics.sequential import GapSequence, RatioSequence
from mtprobe.suite.sample import Suite

_CATEGORY = "category"  # gap[category] is gap


class _Group(NamedTuple):
    name: str
    ratio: Ratio  # of correct to decided samples
    n: int

    @property
    def accuracy(self) -> float:
        return self.ratio.value


class _Gap(Metric):
    name = "gap"
    about = "the largest difference in accuracy between categories, or between values of an attribute"
    brackets = "an attribute"
    corrects = True
    higher_is_better = False
    compares_groups = True
    sequential = True

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """Best minus worst group."""
        groups = _groups(context.tally, selector.over)
        if len(groups) < 2:
            return Estimated.nothing(
                f"only {len(groups)} group{'s' * (len(groups) != 1)} with decided samples"
            )
        best, worst = _extremes(groups)
        return Estimated(_largest(groups), sum(group.n for group in groups), f"{best.name} over {worst.name}")

    def bounded(self, context: MetricContext, selector: Selector) -> Estimated:
        """Withheld verdicts of one group may be right and those of another wrong, so each has bounds of its own."""
        estimated = self.estimate(context, selector)
        if estimated.estimate is None or not context.tally.extremes:
            return estimated
        worst, best = (_groups(extreme, selector.over) for extreme in context.tally.extremes)
        decided = _groups(context.tally, selector.over)
        if _size(best) == _size(decided):
            return estimated
        groups = len(best)
        gap = BoundedGap(
            decided=_largest(decided),
            worst=tuple(group.ratio.share for group in worst),
            best=tuple(group.ratio.share for group in best),
            correlations=correlations([group.ratio for group in (*best, *worst)])[:groups, groups:],
        )
        return replace(estimated, estimate=gap)

    def ratios(self, context: MetricContext, selector: Selector) -> dict[str, Ratio]:
        return {group.name: group.ratio for group in _groups(context.tally, selector.over)}

    def sequence(self, ratios: Sequence[RatioSequence]) -> GapSequence:
        return GapSequence(tuple(ratios))

    def corrected(self, context: MetricContext, selector: Selector) -> Estimated | None:
        return corrected_gap(context.tally, context.tally.values_of(selector.over))

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
    return [
        _Group(name, tally.ratio(tally.correct, mask), tally.count(mask))
        for name, mask in masks
        if mask.any()
    ]


def _size(groups: list[_Group]) -> float:
    return sum(float(group.ratio.denominators.sum()) for group in groups)


def _largest(groups: list[_Group]) -> LargestGap:
    ratios = [group.ratio for group in groups]
    return LargestGap(tuple(ratio.share for ratio in ratios), correlations(ratios))


def clearly_lowest(tally: Tally, attribute: str | None, level: float = 0.95) -> str | None:
    """The group whose accuracy is lower than that of every other one; None if that may be chance.

    To be wrong, one of the others has to look lower than the truly lowest group, so the level is adjusted for their
    number. Withheld verdicts count as right in the lowest group, and as wrong in the others.
    """
    decided = _groups(tally, attribute)
    worst, best = [_groups(extreme, attribute) for extreme in tally.extremes] or (decided, decided)
    if len(decided) < 2 or len(best) != len(decided):  # all verdicts of a group may be withheld
        return None
    lowest = min(decided, key=lambda group: group.accuracy).name
    at_best = next(group for group in best if group.name == lowest)
    others = [group for group in worst if group.name != lowest]
    together = adjusted(level, len(others))
    highest = max(difference(at_best.ratio, other.ratio).interval(together)[1] for other in others)
    return lowest if highest < 0 else None


def _extremes(groups: list[_Group]) -> tuple[_Group, _Group]:
    """The best and the worst group; where all are equal, the first two."""
    best, worst = (pick(groups, key=lambda group: group.accuracy) for pick in (max, min))
    return (groups[0], groups[1]) if best is worst else (best, worst)


GAP = _Gap()
