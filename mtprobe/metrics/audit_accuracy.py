"""Audit accuracy: how far the evaluator itself can be trusted."""

from __future__ import annotations

from mtprobe.metrics.metric import Context, Metric
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, check_empty
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Suite

_NOT_AUDITED = "the evaluator was not audited: the suite has no audit pairs for this language"


class _AuditAccuracy(Metric):
    name = "audit_accuracy"
    about = "how often the evaluator is right about translations with a known reading"
    brackets = ""
    of_samples = False
    counts_degenerate = False
    blamed = ()

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        return context.audited.accuracy(level) if context.audited else Measure.nothing(_NOT_AUDITED)

    def check(self, brackets: Brackets, suite: Suite) -> None:
        check_empty(self.name, brackets, "all audit pairs")
        if not suite.audit:
            raise SelectorError(f"{self.name} needs `audit` pairs in the suite")

    def select(self, brackets: Brackets) -> Selector:
        return Selector()


AUDIT_ACCURACY = _AuditAccuracy()
