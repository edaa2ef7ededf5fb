"""Judges a gate on a suite's results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from mtprobe.gates.parse import Bound, Gate
from mtprobe.gates.regression import Regression, noted, regression_of
from mtprobe.methods.verdict import Result
from mtprobe.metrics import Audited, Measure, Tally, measure
from mtprobe.metrics.pairing import pair_up


class Decision(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"  # the interval spans the bound
    ERROR = "error"  # samples are missing
    EMPTY = "empty"  # nothing was there to measure


@dataclass(frozen=True, slots=True)
class GateResult:
    """A gate, its number and what came of it: all that a report says of it."""

    key: str
    bound: str
    path: str
    line: int
    measure: Measure
    decision: Decision
    reason: str = ""
    n_to_decide: int | None = None  # for an undecided gate: about how many samples would decide it
    xfail: str = ""  # why a failure is accepted for now
    regression: Regression | None = None  # of a gate on it: what it rests on


@dataclass(frozen=True, slots=True)
class Since:
    """What a gate on regression is judged on: the counterpart in the baseline, or why there is none."""

    name: str  # the baseline's model and date
    results: Sequence[Result] | str
    warnings: Sequence[str] = ()


def judge_gate(
    gate: Gate,
    tally: Tally,
    categories: Sequence[str],
    errors: Sequence[str] = (),
    audited: Audited | None = None,
    since: Since | None = None,
) -> GateResult:
    """`errors` are the reasons of the samples that could not be judged: with any of them, neither is the gate."""
    if gate.metric == "audit_accuracy":  # which is not about the samples
        missing = audited.problem if audited else ""
    else:
        missing = _missing(errors, tally.n + len(errors)) if errors else ""
    if missing:
        return _result(gate, Measure.nothing(), Decision.ERROR, reason=missing)
    if gate.metric == "regression":
        return _judge_regression(gate, tally, since)
    found = measure(gate.metric, tally, gate.selector, categories, gate.bound.level or 0.95, audited)
    decision = decide(gate.bound, found)
    if decision is Decision.EMPTY:
        return _result(gate, found, decision, reason=found.note or "no decided sample")
    needed = n_to_decide(gate.bound, found) if decision is Decision.UNDECIDED else None
    return _result(gate, found, decision, needed=needed)


def _judge_regression(gate: Gate, tally: Tally, since: Since | None) -> GateResult:
    if since is None or isinstance(since.results, str):
        reason = "there is no baseline" if since is None else f"not in the baseline: {since.results}"
        return _result(gate, Measure.nothing(), Decision.EMPTY, reason=reason)
    pairing = pair_up(since.results, tally.results, gate.selector.concerns)
    regression = regression_of(pairing, since.name, since.warnings)
    found = noted(pairing.loss(tally.seed, gate.bound.level or 0.95), regression)
    decision = decide(gate.bound, found)
    reason = f"no sample can be compared: {found.note}" if decision is Decision.EMPTY else ""
    needed = n_to_decide(gate.bound, found) if decision is Decision.UNDECIDED else None
    return replace(_result(gate, found, decision, reason, needed), regression=regression)


def _result(
    gate: Gate, found: Measure, decision: Decision, reason: str = "", needed: int | None = None
) -> GateResult:
    place = gate.place
    xfail = gate.xfail.reason if gate.xfail and not gate.xfail.expired else ""
    return GateResult(
        gate.key, str(gate.bound), str(place.path), place.line, found, decision, reason, needed, xfail
    )


def decide(bound: Bound, found: Measure) -> Decision:
    """On the value alone, or on the interval when the bound has a level."""
    if found.value is None:
        return Decision.EMPTY
    if bound.level is None:
        return Decision.PASSED if bound.holds(found.value) else Decision.FAILED
    near, far = (found.low, found.high) if bound.wants_more else (found.high, found.low)
    if bound.holds(near):
        return Decision.PASSED
    return Decision.UNDECIDED if bound.holds(far) else Decision.FAILED


def n_to_decide(bound: Bound, found: Measure) -> int | None:
    """About how many samples would decide it if the value stayed the same: intervals shrink with √n.

    None when the value stands on the bound: then no number would.
    """
    if found.value is None or math.isclose(found.value, bound.value, abs_tol=1e-9):
        return None
    half = found.value - found.low if found.value > bound.value else found.high - found.value
    return math.ceil(found.n * (half / abs(found.value - bound.value)) ** 2)


def _missing(errors: Sequence[str], total: int) -> str:
    counted: dict[str, int] = {}
    for reason in errors:
        counted[reason] = counted.get(reason, 0) + 1
    common = sorted(counted.items(), key=lambda item: -item[1])
    shown = "; ".join(f"{count} × {reason}" for reason, count in common[:3])
    more = f"; and {len(common) - 3} more reasons" if len(common) > 3 else ""
    return f"{len(errors)} of {total} samples could not be judged: {shown}{more}"
