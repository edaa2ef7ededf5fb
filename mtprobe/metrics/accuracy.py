"""Accuracy: the share of correct translations among decided ones, its variants, and the accuracy of the evaluator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtprobe.metrics.correction import corrected_minimum, corrected_share
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, answered_only
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.bounded import bounded
from mtprobe.statistics.clustered import Ratio, independent
from mtprobe.statistics.estimates import Share
from mtprobe.statistics.extremes import Lowest
from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.statistics.measure import Estimated, Measure
from mtprobe.statistics.sequential import LowestSequence, RatioSequence
from mtprobe.suite.sample import Suite

_NOT_AUDITED = "the evaluator was not audited: the suite has no audit pairs for this language"


def accuracy(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Correct / decided. A degenerate output counts as decided and incorrect."""
    return ACCURACY.bounded_over(tally, mask).at(level)


def weighted_accuracy(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Σ weight of the correct / Σ weight, with weights ranked within each category."""
    return WEIGHTED_ACCURACY.bounded_over(tally, mask).at(level)


class _Accuracy(Metric):
    name = "accuracy"
    about = "correct / decided"
    corrects = True
    counts_open = False
    sequential = True

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        return self.over(context.tally, selector.mask(context.tally))

    def over(self, tally: Tally, mask: Mask) -> Estimated:
        """The value over some of the samples."""
        share = self.share(tally, mask)
        return Estimated(share, tally.count(mask & tally.decided)) if share else Estimated.nothing()

    def bounded_over(self, tally: Tally, mask: Mask) -> Estimated:
        """The same; with its bounds where verdicts are withheld."""
        return bounded(self.over(tally, mask), [self.over(extreme, mask) for extreme in tally.extremes])

    def ratios(self, context: MetricContext, selector: Selector) -> dict[str, Ratio]:
        return {"": self.ratio(context.tally, selector.mask(context.tally))}

    def ratio(self, tally: Tally, mask: Mask) -> Ratio:
        return tally.ratio(tally.correct, mask & tally.decided, self.weights(tally))

    def share(self, tally: Tally, mask: Mask) -> Share | None:
        return self.ratio(tally, mask).share if (mask & tally.decided).any() else None

    def corrected(self, context: MetricContext, selector: Selector) -> Estimated | None:
        return corrected_share(context.tally, selector.mask(context.tally))

    def weights(self, tally: Tally) -> Floats | None:
        """The weights of the samples; None if all are equal."""
        return None


class _WeightedAccuracy(_Accuracy):
    name = "weighted_accuracy"
    about = "accuracy weighted by the evaluator's confidence"
    corrects = False
    sequential = False  # weights are ranks among all samples

    def weights(self, tally: Tally) -> Floats | None:
        return tally.weights

    def corrected(self, context: MetricContext, selector: Selector) -> Estimated | None:
        return None  # labels have no confidence


class _PairAccuracy(Metric):
    """Wino-X: a schema is a cluster."""

    name = "pair_accuracy"
    about = "the share of clusters (schemas) whose samples are all correct"
    counts_open = False

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """Over clusters with two or more decided samples; schemas are independent of each other.

        Samples are compared within a repeat, and of a schema's repeats the mean counts.
        """
        tally = context.tally
        inside = selector.mask(tally) & tally.decided
        decided, all_right = [], []
        for repeat in tally.each_repeat:
            right, counts = (
                np.bincount(tally.clusters[rows], minlength=len(tally.clusters))
                for rows in (inside & repeat & tally.correct, inside & repeat)
            )
            decided.append(counts >= 2)
            all_right.append((counts >= 2) & (right == counts))
        if not np.any(decided):
            return Estimated.nothing("no schema with two decided samples")
        share = independent(np.sum(all_right) / tally.repeats, np.sum(decided) / tally.repeats)
        return Estimated(share, int(np.any(decided, axis=0).sum()))


class _Whole(Metric):
    """A metric that takes no brackets."""

    brackets = ""
    taken_over: str

    def check(self, brackets: Brackets, suite: Suite) -> None:
        if brackets.text is not None:
            raise SelectorError(f"{self.name} is taken over {self.taken_over} and has no [{brackets.text}]")

    def select(self, brackets: Brackets) -> Selector:
        return Selector()


class _AuditAccuracy(_Whole):
    """How far the evaluator itself can be trusted."""

    name = "audit_accuracy"
    about = "the share of audit translations, whose reading is known, on which the evaluator is right"
    taken_over = "all audit pairs"
    of_samples = False
    sequential = True  # it is known before any sample is asked
    rests_on_verdicts = False
    counts_degenerate = False
    blamed = ()

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        return context.audited.accuracy if context.audited else Estimated.nothing(_NOT_AUDITED)

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if not suite.audit:
            raise SelectorError(f"{self.name} needs `audit` pairs in the suite")


class _Minimum(_Whole):
    """The lowest category's value: a model is only as good as it is for the group it serves worst."""

    taken_over = "all categories"
    compares_groups = True
    counts_lowest = True
    of: _Accuracy

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        by_category = self._by_category(context)
        shares = []
        for category, share in by_category.items():
            if share is None:
                return Estimated.nothing(f"no decided sample of category {category}")
            shares.append(share)
        if not shares:
            return Estimated.nothing("the suite has no categories")
        lowest = _lowest(by_category)
        n = context.tally.count(Selector(lowest).mask(context.tally) & context.tally.decided)
        return Estimated(Lowest(tuple(shares)), n, lowest)

    def ratios(self, context: MetricContext, selector: Selector) -> dict[str, Ratio]:
        tally = context.tally
        return {name: self.of.ratio(tally, Selector(name).mask(tally)) for name in context.categories}

    def sequence(self, ratios: Sequence[RatioSequence]) -> LowestSequence:
        return LowestSequence(tuple(ratios))

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if not suite.answered:
            raise SelectorError(f"{self.name} needs `categories` in the suite{answered_only(suite)}")

    def blamed_group(self, context: MetricContext, selector: Selector) -> Selector | None:
        by_category = self._by_category(context)
        if None in by_category.values():
            return None
        return Selector(_lowest(by_category))

    def _by_category(self, context: MetricContext) -> dict[str, Share | None]:
        tally = context.tally
        return {name: self.of.share(tally, Selector(name).mask(tally)) for name in context.categories}


def _lowest(by_category: Mapping[str, Share | None]) -> str:
    return min(by_category, key=lambda name: share.value if (share := by_category[name]) else 0.0)


ACCURACY = _Accuracy()
WEIGHTED_ACCURACY = _WeightedAccuracy()
PAIR_ACCURACY = _PairAccuracy()
AUDIT_ACCURACY = _AuditAccuracy()


class _MinimumAccuracy(_Minimum):
    name = "minimum_accuracy"
    about = "the accuracy of the worst category"
    corrects = True
    sequential = True
    of = ACCURACY

    def corrected(self, context: MetricContext, selector: Selector) -> Estimated | None:
        masks = {name: Selector(name).mask(context.tally) for name in context.categories}
        return corrected_minimum(context.tally, masks)


class _MinimumWeightedAccuracy(_Minimum):
    name = "minimum_weighted_accuracy"
    about = "the weighted accuracy of the worst category: the paper's minimum accuracy"
    of = WEIGHTED_ACCURACY


MINIMUM_ACCURACY = _MinimumAccuracy()
MINIMUM_WEIGHTED_ACCURACY = _MinimumWeightedAccuracy()
