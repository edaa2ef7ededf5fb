"""The output of `mtprobe watch` after each save: appended lines, so that terminals and logs keep the history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtprobe.authoring.watch.changes import GateChange, SampleChange, VerdictChange
from mtprobe.authoring.watch.edit import Edit
from mtprobe.gates import GateResult
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.report.numbers import share, with_interval

_MOST = 8  # samples of each kind that are shown
_SIGNS = {"added": "+", "changed": "~", "removed": "-"}


def edit_lines(edit: Edit) -> Iterator[str]:
    """Problems with their places, then samples that changed, then verdicts and gates."""
    yield from _problems(edit)
    if edit.check.errors or edit.check.suite is None:
        return
    yield _counts(edit)
    for kind in _SIGNS:
        yield from _samples([change for change in edit.samples if change.kind == kind], edit)
    yield from _other_verdicts(edit)
    if edit.not_judged:
        yield f"  not judged: {edit.not_judged}"
    if edit.gates:
        yield from _outcomes(edit)
        yield from _gates(edit.gates)


def _problems(edit: Edit) -> Iterator[str]:
    check = edit.check
    yield from (f"  {problem.place}: not checked: {problem.message}" for problem in check.missing)
    yield from (f"  {problem.place}: {problem.message}" for problem in check.errors)
    if check.errors:
        count = "1 error" if len(check.errors) == 1 else f"{len(check.errors)} errors"
        yield f"  {count}: nothing is judged until the file is saved again"
    elif edit.same_warnings and check.warnings:
        yield f"  {len(check.warnings)} warning{'s' if len(check.warnings) > 1 else ''} as before"
    else:
        yield from (f"  {problem.place}: warning: {problem.message}" for problem in check.warnings)


def _counts(edit: Edit) -> str:
    suite = edit.check.suite
    total = len(suite.samples) if suite else 0
    count = f"{total:,} sample{'' if total == 1 else 's'}"
    if edit.first:
        return f"  {count}"
    kinds = [(kind, sum(change.kind == kind for change in edit.samples)) for kind in _SIGNS]
    changed = ", ".join(f"{number:,} {kind}" for kind, number in kinds if number)
    return f"  {count}: {changed or 'none changed'}"


def _samples(changes: Sequence[SampleChange], edit: Edit) -> Iterator[str]:
    for change in changes[:_MOST]:
        yield f"  {_SIGNS[change.kind]} {change.id}"
        if change.kind == "removed":
            continue
        yield from (
            f"      {line}" for line in (change.lines[1:] if change.kind == "added" else change.lines)
        )
        for verdict in edit.verdicts.get(change.id, ()):
            yield from _verdict(verdict, several=len(edit.verdicts[change.id]) > 1)
    if len(changes) > _MOST:
        yield f"    … and {len(changes) - _MOST:,} more {changes[0].kind}"


def _verdict(change: VerdictChange, *, several: bool) -> Iterator[str]:
    before = f"{_outcome(change.before)} → " if change.before and change.is_other else ""
    method = f"{change.method}: " if several else ""
    if change.after.translation is not None:
        yield f"      → {change.after.translation}"
    yield f"      {method}{before}{_outcome(change.after)}{_detail(change.after)}"


def _outcome(result: Result) -> str:
    verdict = result.verdict
    return f"chose {verdict.choice}" if verdict.choice else verdict.outcome.value


def _detail(result: Result) -> str:
    verdict = result.verdict
    if verdict.reason:
        return f" ({verdict.reason})"
    return f" (p {verdict.probability:.2f})" if verdict.probability is not None else ""


def _other_verdicts(edit: Edit) -> Iterator[str]:
    """Samples that are the same and are judged in another way: another method, form or margin."""
    shown = {change.id for change in edit.samples}
    flipped = [
        (id, change)
        for id, changes in edit.verdicts.items()
        for change in changes
        if id not in shown and change.before is not None and change.is_other
    ]
    if flipped:
        yield f"  verdicts of unchanged samples that changed: {len(flipped):,}"
    for id, change in flipped[:_MOST]:
        yield f"    {id}"
        yield from _verdict(change, several=len(edit.verdicts[id]) > 1)
    if len(flipped) > _MOST:
        yield f"    … and {len(flipped) - _MOST:,} more"


def _outcomes(edit: Edit) -> Iterator[str]:
    """`judged: 18 correct, 6 incorrect`, one line per method."""
    by_method: dict[str, dict[Outcome, int]] = {}
    for changes in edit.verdicts.values():
        for change in changes:
            counts = by_method.setdefault(change.method, dict.fromkeys(Outcome, 0))
            counts[change.after.verdict.outcome] += 1
    for method, counts in by_method.items():
        outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in counts.items() if number)
        yield f"  {method}: {outcomes}"


def _gates(changes: Sequence[GateChange]) -> Iterator[str]:
    width = max(len(change.after.key) for change in changes)
    for change in changes:
        gate = change.after
        value = with_interval(gate.measure) if gate.measure.value is not None else gate.reason or "–"
        before = f"; before: {_gate(change.before)}" if _differs(change) and change.before else ""
        new = "; new" if change.before is None and any(other.before for other in changes) else ""
        yield f"  {gate.status.upper():<9} {gate.key:<{width}}  {value}, bound {gate.bound}{before}{new}"


def _differs(change: GateChange) -> bool:
    return change.before is not None and _gate(change.before) != _gate(change.after)


def _gate(gate: GateResult) -> str:
    return f"{share(gate.measure.value)} {gate.status}"
