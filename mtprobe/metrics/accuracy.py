"""Accuracy: the share of correct translations among the decided ones, in its variants, and that of the evaluator."""

from __future__ import annotations

from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, answered_only
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask, cluster_ratio, wilson
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Suite

_NOT_AUDITED = "the evaluator was not audited: the suite has no audit pairs for this language"


def accuracy(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Correct / decided. A degenerate output counts as decided and incorrect."""
    inside = mask & tally.decided
    n, correct = int(inside.sum()), int((inside & tally.correct).sum())
    if not n:
        return Measure.nothing()
    if tally.independent:
        return Measure(correct / n, *wilson(correct, n, level), n)
    return Measure(correct / n, *cluster_ratio(*tally.ratio(tally.correct, inside), tally.seed, level), n)


def weighted_accuracy(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """Σ weight of the correct / Σ weight, with weights ranked within each category.

    Resampling keeps the weights of the full set.
    """
    inside = mask & tally.decided
    n = int(inside.sum())
    if not n:
        return Measure.nothing()
    weights = tally.weights
    value = float(weights[inside & tally.correct].sum() / weights[inside].sum())
    correct, total = tally.by_cluster(weights * tally.correct, inside), tally.by_cluster(weights, inside)
    return Measure(value, *cluster_ratio(correct, total, tally.seed, level), n)


class _Accuracy(Metric):
    name = "accuracy"
    about = "correct / decided"
    counts_open = False

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        return accuracy(context.tally, selector.mask(context.tally), level)


class _WeightedAccuracy(_Accuracy):
    name = "weighted_accuracy"
    about = "accuracy weighted by the evaluator's confidence"

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        return weighted_accuracy(context.tally, selector.mask(context.tally), level)


class _PairAccuracy(_Accuracy):
    """Wino-X: a schema is a cluster."""

    name = "pair_accuracy"
    about = "the share of clusters (schemas) in which every sample is correct"

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        """Over clusters with two or more decided samples; schemas are independent of each other."""
        tally = context.tally
        right, decided = tally.ratio(tally.correct, selector.mask(tally) & tally.decided)
        schemas = decided >= 2
        n, all_right = int(schemas.sum()), int((schemas & (right == decided)).sum())
        if not n:
            return Measure.nothing("no schema with two decided samples")
        return Measure(all_right / n, *wilson(all_right, n, level), n)


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
    about = "how often the evaluator is right about translations with a known reading"
    taken_over = "all audit pairs"
    of_samples = False
    rests_on_verdicts = False
    counts_degenerate = False
    blamed = ()

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        return context.audited.accuracy(level) if context.audited else Measure.nothing(_NOT_AUDITED)

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if not suite.audit:
            raise SelectorError(f"{self.name} needs `audit` pairs in the suite")


class _Minimum(_Whole):
    """The lowest category's value: a model is only as good as it is for the group it serves worst."""

    taken_over = "all categories"
    compares_groups = True
    of: Metric

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
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
        super().check(brackets, suite)
        if not suite.answered:
            raise SelectorError(f"{self.name} needs `categories` in the suite{answered_only(suite)}")

    def blamed_group(self, context: MetricContext, selector: Selector) -> Selector | None:
        measures = self._by_category(context)
        if any(measure.value is None for measure in measures.values()):
            return None
        return Selector(_lowest(measures))

    def _by_category(self, context: MetricContext, level: float = 0.95) -> dict[str, Measure]:
        return {name: self.of.measure(context, Selector(name), level) for name in context.categories}


def _lowest(measures: dict[str, Measure]) -> str:
    return min(measures, key=lambda category: measures[category].value or 0.0)


ACCURACY = _Accuracy()
WEIGHTED_ACCURACY = _WeightedAccuracy()
PAIR_ACCURACY = _PairAccuracy()
AUDIT_ACCURACY = _AuditAccuracy()


class _MinimumAccuracy(_Minimum):
    name = "minimum_accuracy"
    about = "the lowest category's accuracy"
    of = ACCURACY


class _MinimumWeightedAccuracy(_Minimum):
    name = "minimum_weighted_accuracy"
    about = "the lowest category's weighted accuracy: the paper's minimum accuracy"
    of = WEIGHTED_ACCURACY


MINIMUM_ACCURACY = _MinimumAccuracy()
MINIMUM_WEIGHTED_ACCURACY = _MinimumWeightedAccuracy()
