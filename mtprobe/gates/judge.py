"""Judges a gate on a suite's results."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from mtprobe.gates.grouped import grouped
from mtprobe.gates.parse import Bound, Gate, GateError, parse_key, read_bound, reversal
from mtprobe.metrics import Measure, Metric, MetricContext, Selector
from mtprobe.metrics.metric import Evaluation
from mtprobe.metrics.regression import Regression
from mtprobe.statistics.estimates import Estimate
from mtprobe.statistics.measure import TOLERANCE

_MOST_SAMPLES = 10**12  # nobody has more


class Decision(StrEnum):
    """The result of a gate."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"  # the interval spans the bound, or the verdicts are in doubt
    ERROR = "error"  # samples are missing
    EMPTY = "empty"  # there was nothing to measure


@dataclass(frozen=True, slots=True)
class GateResult:
    """A judged gate: its value and its decision, as shown in reports."""

    key: str  # as written in the suite: `accuracy[female]`
    bound: str  # as written in the suite: `>= 0.60 @95%`
    path: str  # the suite's file
    line: int  # the line of the gate in the suite
    measure: Measure  # the metric's value
    decision: Decision  # passed, failed, undecided or an error
    reason: str = ""  # why it did not pass
    n_to_decide: int | None = None  # undecided gates: approximate number of samples that would decide it
    xfail: str = ""  # why a failure is accepted for now
    regression: Regression | None = None  # for regression gates: the flips since the baseline
    corrected: Measure | None = None  # the value corrected by labels, if there are any
    raw: Measure | None = None  # the value without correction, if the corrected one decided
    skippable: bool = True  # False: undecided because verdicts are in doubt; `undecided=skip` does not apply
    excluded: Literal["", "unselected", "skipped"] = ""  # why its decision does not count in the run
    reached: bool = True  # False: excluded because the run stopped before it

    @property
    def metric(self) -> Metric | None:
        """From the key; None where no installed package defines it."""
        return parse_key(self.key)[0]

    @property
    def selector(self) -> Selector:
        """From the key."""
        return parse_key(self.key)[1]

    @property
    def parsed_bound(self) -> Bound | None:
        """None if a later mtprobe wrote it in a way that this one cannot read."""
        try:
            return read_bound(self.bound, share=False)
        except GateError:
            return None

    @property
    def was_measured(self) -> bool:
        """False: it was skipped before there was anything to decide."""
        return not (self.excluded == "skipped" and self.decision is Decision.EMPTY and self.reached)

    @property
    def reversal(self) -> str:
        """Why a bound is suspicious that the metric meets by being bad; empty for others."""
        metric, bound = self.metric, self.parsed_bound
        if metric is None or bound is None or not bound.is_reversed(metric):
            return ""
        return f"{self.key}: {reversal(metric, bound)}"

    @property
    def status(self) -> str:
        """The decision, "xfail" for an accepted failure, or why the decision does not count."""
        if self.excluded:
            return self.excluded if self.reached else "unjudged"
        return "xfail" if self.xfail and self.decision is not Decision.PASSED else self.decision.value


def judge_gate(
    gate: Gate, context: MetricContext, errors: Sequence[str] = (), *, estimates_n: bool = True
) -> GateResult:
    """`errors` are the reasons why samples could not be judged; if there are any, the gate is not judged either.

    With `estimates_n`, the result of an undecided gate says how many samples would decide it.
    """
    if missing := _missing(gate, context, errors):
        evaluation, decision = Evaluation(Measure.nothing(), missing), Decision.ERROR
    else:
        evaluation = gate.metric.evaluate(context, gate.selector, gate.bound.level or 0.95)
        decision = _judged(gate.bound, evaluation)
    estimates_n = estimates_n and decision is Decision.UNDECIDED
    return GateResult(
        key=gate.key,
        bound=str(gate.bound),
        path=str(gate.place.path),
        line=gate.place.line,
        measure=evaluation.measure,
        decision=decision,
        reason=_reason(evaluation, decision),
        n_to_decide=_n_to_decide(gate, context, evaluation) if estimates_n else None,
        xfail=gate.xfail.reason if gate.xfail and not gate.xfail.expired else "",
        regression=evaluation.regression,
    )


def skipped_gate(gate: Gate, reason: str) -> GateResult:
    """A gate that was not measured, for the record."""
    return GateResult(
        key=gate.key,
        bound=str(gate.bound),
        path=str(gate.place.path),
        line=gate.place.line,
        measure=Measure.nothing(),
        decision=Decision.EMPTY,
        reason=reason,
        excluded="skipped",
    )


def _judged(bound: Bound, evaluation: Evaluation) -> Decision:
    """The bound's decision, unless the metric says that its value may not pass or cannot be judged."""
    if evaluation.error:
        return Decision.ERROR
    decision = decide(bound, evaluation.measure)
    return Decision.UNDECIDED if evaluation.undecided and decision is Decision.PASSED else decision


def _reason(evaluation: Evaluation, decision: Decision) -> str:
    if decision is Decision.UNDECIDED:
        return evaluation.undecided
    return evaluation.error or evaluation.reason


def decide(bound: Bound, measure: Measure) -> Decision:
    """On the value alone, or on the interval when the bound has a level."""
    if measure.value is None:
        return Decision.EMPTY
    if bound.level is None:
        return Decision.PASSED if bound.holds(measure.value) else Decision.FAILED
    near, far = (measure.low, measure.high) if bound.wants_more else (measure.high, measure.low)
    if bound.holds(near):
        return Decision.PASSED
    return Decision.UNDECIDED if bound.holds(far) else Decision.FAILED


def _n_to_decide(gate: Gate, context: MetricContext, evaluation: Evaluation) -> int | None:
    if evaluation.undecided:
        return None
    estimated = gate.metric.bounded(context, gate.selector)
    return n_to_decide(gate.bound, evaluation.measure, estimated.estimate if estimated else None)


def n_to_decide(bound: Bound, measure: Measure, estimate: Estimate | None = None) -> int | None:
    """About how many samples would decide it, if they were like those that there are.

    None if the value lies on the bound: then no number would.
    """
    if measure.value is None or abs(measure.value - bound.value) <= TOLERANCE:
        return None
    estimate = estimate or _Shrinking(measure)

    def decides(n: int) -> bool:
        low, high = estimate.grown(n / measure.n).interval(bound.level or 0.95)
        return decide(bound, replace(measure, low=low, high=high)) is not Decision.UNDECIDED

    enough = measure.n
    while not decides(enough):
        enough *= 2
        if enough > _MOST_SAMPLES:
            return None
    return bisect_left(range(enough), True, lo=enough // 2, key=decides)


@dataclass(frozen=True, slots=True)
class _Shrinking:
    """An estimate for metrics that only provide measures: the interval shrinks with √n."""

    measure: Measure

    @property
    def value(self) -> float:
        return self.measure.value or 0.0

    def interval(self, level: float) -> tuple[float, float]:  # noqa: ARG002 - it is that of the measure
        return self.measure.low, self.measure.high

    def grown(self, times: float) -> _Shrinking:
        root = math.sqrt(times)
        low, high = (self.value + (end - self.value) / root for end in self.interval(0.95))
        return _Shrinking(replace(self.measure, low=low, high=high))


def _missing(gate: Gate, context: MetricContext, errors: Sequence[str]) -> str:
    """Why the gate cannot be judged; empty if it can."""
    if not gate.metric.of_samples:
        return context.audited.problem if context.audited else ""
    if not errors:
        return ""
    common = sorted(grouped((reason, None) for reason in errors), key=lambda group: -len(group.items))
    shown = "; ".join(f"{len(group.items)} × {group.reason}" for group in common[:3])
    more = f"; and {len(common) - 3} more reasons" if len(common) > 3 else ""
    total = context.tally.n + len(errors)
    return f"{len(errors)} of {total} {context.tally.unit} could not be judged: {shown}{more}"
