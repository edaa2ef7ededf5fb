"""Numbers over verdicts, each with its interval and its n. The metrics that a gate may name stand here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mtprobe.methods.verdict import Result
from mtprobe.metrics import f1 as readings
from mtprobe.metrics import shares
from mtprobe.metrics.accuracy import accuracy, weighted_accuracy
from mtprobe.metrics.bias import bias
from mtprobe.metrics.discrepancy import discrepancy, discrepancy_clipped
from mtprobe.metrics.gap import gap
from mtprobe.metrics.groups import group_error, sfii, spdi
from mtprobe.metrics.minimum import minimum
from mtprobe.metrics.model_errors import model_errors
from mtprobe.metrics.pairs import pair_accuracy
from mtprobe.metrics.senses import mfs, mfs_plus
from mtprobe.metrics.tally import Tally, tally
from mtprobe.statistics.measure import Measure

__all__ = ["METRICS", "Audited", "Measure", "Selector", "Tally", "measure", "tally"]

_OVER_SAMPLES = {
    "accuracy": accuracy,
    "weighted_accuracy": weighted_accuracy,
    "undecided": shares.undecided,
    "degenerate": shares.degenerate,
    "coverage": shares.coverage,
    "false_positives": shares.false_positives,
    "pair_accuracy": pair_accuracy,
    "sfii": sfii,
    "spdi": spdi,
    "mfs": mfs,
    "mfs_plus": mfs_plus,
    "model_errors": model_errors,
    "discrepancy": discrepancy,
    "discrepancy_clipped": discrepancy_clipped,
}
_NOT_AUDITED = "the evaluator was not audited: the suite has no audit pairs for this language"
_OVER_CATEGORIES = {"minimum_accuracy": accuracy, "minimum_weighted_accuracy": weighted_accuracy}

METRICS: dict[str, str] = {
    "accuracy": "right / decided",
    "weighted_accuracy": "accuracy weighted by the evaluator's confidence",
    "minimum_accuracy": "the lowest category's accuracy",
    "minimum_weighted_accuracy": "the lowest category's weighted accuracy: the paper's minimum accuracy",
    "gap": "the largest difference in accuracy between categories, or between values of an attribute",
    "undecided": "the share of samples without a decision",
    "degenerate": "the share of outputs that are no translations",
    "coverage": "the share of samples with a decision",
    "false_positives": "wrong / decided: in a suite of controls, how often its alarm means nothing",
    "pair_accuracy": "the share of clusters (schemas) of which every sample is right",
    "discrepancy": "how much likelier the model's own translations are than the targets, in nats a token",
    "discrepancy_clipped": "the same, each difference at least 0",
    "bias": "how far the model prefers targets of one kind: |rank-biserial correlation| of an attribute of targets",
    "group_error": "the error rate of each value of an attribute, averaged over the values, whatever their sizes",
    "sfii": "group_error over the ranks of senses (DiBiMT: sense frequency index influence)",
    "spdi": "group_error over the numbers of senses that words have (DiBiMT: sense polysemy degree importance)",
    "mfs": "the share of wrong translations that have the word's most frequent sense",
    "mfs_plus": "the share of wrong translations that have a more frequent sense than the right one",
    "model_errors": "the share of wrong translations that the model scores above every known good one",
    "f1": "F1 of a category: whom the translations make of its samples, and of others",
    "f1_rounded": "the same, with precision and recall rounded to a tenth of a percent, as published",
    "delta_g": "F1 of male less F1 of female",
    "delta_g_rounded": "the same, rounded on the way, as published",
    "delta_s": "accuracy with the stereotype less accuracy against it",
    "audit_accuracy": "how often the evaluator reads translations of known reading right",
    "chosen": "how often this is chosen where no answer is right",
    "regression": "accuracy in the baseline less accuracy now, on the samples that both decided (`--mt-baseline`)",
}
"""Every metric, and what it is in a few words."""

UNBOUNDED = frozenset({"discrepancy", "discrepancy_clipped", "delta_g", "delta_g_rounded", "delta_s"})
"""Metrics that are no shares of 1: they may be larger, or below 0."""


@dataclass(frozen=True, slots=True)
class Selector:
    """What stands in brackets behind a metric: a category or a choice, attribute values, an attribute to compare over."""

    category: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    over: str | None = None  # gap[stereotype], bias[gender], group_error[pos]
    choice: str | None = None  # chosen[male]

    def concerns(self, result: Result) -> bool:
        """Whether a sample is of the category and has the attribute values."""
        return (self.category is None or result.category == self.category) and all(
            str(result.attributes.get(name)) == value for name, value in self.attributes
        )


class Audited(Protocol):
    """What a metric of the evaluator asks of its audit."""

    @property
    def problem(self) -> str:
        """Why it could not be measured, or nothing."""

    def accuracy(self, level: float) -> Measure:
        """How often the evaluator was right, in the way in which samples are judged."""


def measure(
    metric: str,
    tally: Tally,
    selector: Selector,
    categories: Sequence[str],
    level: float = 0.95,
    audited: Audited | None = None,
) -> Measure:
    """The metric's value over a suite's results, or over the audit of its evaluator."""
    if metric == "audit_accuracy":
        return audited.accuracy(level) if audited else Measure.nothing(_NOT_AUDITED)
    if metric == "regression":
        return Measure.nothing("regression is measured against a baseline")
    if metric == "gap":
        return gap(tally, selector.over, level)
    if metric in _OVER_CATEGORIES:
        return minimum(_OVER_CATEGORIES[metric], tally, categories, level)
    inside = tally.where(selector.category, selector.attributes)
    if metric == "group_error":
        return group_error(tally, selector.over or "", inside, level)
    if metric == "bias":
        return bias(tally, selector.over or "", inside, level)
    if metric.startswith("f1"):
        category = selector.category or ""
        mask = tally.where(None, selector.attributes)
        return readings.f1(tally, category, mask, categories, level, rounded=metric.endswith("rounded"))
    if metric.startswith("delta_g"):
        return readings.delta_g(tally, inside, categories, level, rounded=metric.endswith("rounded"))
    if metric == "delta_s":
        return readings.delta_s(tally, inside, level)
    if metric == "chosen":
        return shares.chosen(tally, selector.choice or "", inside, level)
    return _OVER_SAMPLES[metric](tally, inside, level)
