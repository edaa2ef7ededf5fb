"""Gates and labels: the corrected value next to the uncorrected one, or instead of it."""

from __future__ import annotations

from dataclasses import replace

from mtprobe.gates.judge import Decision, GateResult, decide, n_to_decide
from mtprobe.gates.parse import Gate
from mtprobe.metrics import MetricContext

_NOT_DRAWN = "no sample that the gate covers was drawn for labels: `mtprobe label RECORD -n 100`"


def with_labels(gate: Gate, context: MetricContext, result: GateResult) -> GateResult:
    """The result with the number that labels correct; decided on it if the suite asks for that.

    Where labels are missing, such a gate is undecided: more samples would not help.
    """
    if not gate.metric.corrects or result.decision is Decision.ERROR:
        return result
    estimated = gate.metric.corrected(context, gate.selector)
    if estimated is None or estimated.estimate is None or context.label_problem:
        if not context.decided_on_labels:
            return result
        missing = estimated.note if estimated and not estimated.estimate else _NOT_DRAWN
        problem = context.label_problem
        reason = f"the labels cannot correct anything: {problem}" if problem else missing
        return replace(result, decision=Decision.UNDECIDED, reason=reason, n_to_decide=None, skippable=False)
    corrected = estimated.at(gate.bound.level or 0.95)
    if not context.decided_on_labels:
        return replace(result, corrected=corrected)
    decision = decide(gate.bound, corrected)
    enough = (
        n_to_decide(gate.bound, corrected, estimated.estimate) if decision is Decision.UNDECIDED else None
    )
    return replace(
        result,
        measure=corrected,
        corrected=corrected,
        raw=result.measure,
        decision=decision,
        reason="",
        n_to_decide=enough,
    )
