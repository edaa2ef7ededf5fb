"""Judges a gate on a suite's results."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mtprobe.gates.parse import Bound, Gate, GateError, parse_key, read_bound
from mtprobe.metrics import Measure, Metric, MetricContext, Selector
from mtprobe.metrics.metric import Evaluation
from mtprobe.metrics.regression import Regression


class Decision(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"  # the interval spans the bound, or the verdicts are in doubt
    ERROR = "error"  # samples are missing
    EMPTY = "empty"  # there was nothing to measure


@dataclass(frozen=True, slots=True)
class GateResult:
    """A judged gate: its number and its decision, as reports show them."""

    key: str
    bound: str
    path: str
    line: int
    measure: Measure
    decision: Decision
    reason: str = ""
    n_to_decide: int | None = None  # for an undecided gate: about how many samples would decide it
    xfail: str = ""  # why a failure is accepted for now
    regression: Regression | None = None  # the flips since the baseline, of a gate that needs one
    skippable: bool = (
        True  # False: undecided because its verdicts are in doubt, which `undecided=skip` does not skip
    )

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
    def status(self) -> str:
        """The decision, or "xfail" for an accepted failure."""
        return "xfail" if self.xfail and self.decision is not Decision.PASSED else self.decision.value


def judge_gate(gate: Gate, context: MetricContext, errors: Sequence[str] = ()) -> GateResult:
    """`errors` are the reasons why samples could not be judged; if there are any, the gate is not judged either."""
    if missing := _missing(gate, context, errors):
        evaluation, decision = Evaluation(Measure.nothing(), missing), Decision.ERROR
    else:
        evaluation = gate.metric.evaluate(context, gate.selector, gate.bound.level or 0.95)
        decision = decide(gate.bound, evaluation.measure)
    measure = evaluation.measure
    return GateResult(
        key=gate.key,
        bound=str(gate.bound),
        path=str(gate.place.path),
        line=gate.place.line,
        measure=measure,
        decision=decision,
        reason=evaluation.reason,
        n_to_decide=n_to_decide(gate.bound, measure) if decision is Decision.UNDECIDED else None,
        xfail=gate.xfail.reason if gate.xfail and not gate.xfail.expired else "",
        regression=evaluation.regression,
    )


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


def n_to_decide(bound: Bound, measure: Measure) -> int | None:
    """About how many samples would decide it if the value stayed the same: intervals shrink with √n.

    None if the value lies on the bound: then no number would.
    """
    if measure.value is None or math.isclose(measure.value, bound.value, abs_tol=1e-9):
        return None
    half = measure.value - measure.low if measure.value > bound.value else measure.high - measure.value
    return math.ceil(measure.n * (half / abs(measure.value - bound.value)) ** 2)


def _missing(gate: Gate, context: MetricContext, errors: Sequence[str]) -> str:
    """Why the gate cannot be judged; empty if it can."""
    if not gate.metric.of_samples:
        return context.audited.problem if context.audited else ""
    if not errors:
        return ""
    common = Counter(errors).most_common()
    shown = "; ".join(f"{count} × {reason}" for reason, count in common[:3])
    more = f"; and {len(common) - 3} more reasons" if len(common) > 3 else ""
    total = context.tally.n + len(errors)
    return f"{len(errors)} of {total} samples could not be judged: {shown}{more}"
