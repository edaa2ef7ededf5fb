"""A run in one line and a gate in a word or two, the same everywhere. Undecided gates count as not passed."""

from __future__ import annotations

from mtprobe.gates import GateResult
from mtprobe.records import Run

# Records have shorter words.
_STATUSES = {"empty": "not measured", "unjudged": "not judged", "unselected": "not selected"}


def status_text(gate: GateResult) -> str:
    """What the status of a gate is called."""
    return _STATUSES.get(gate.status, gate.status)


def is_fine(gate: GateResult) -> bool:
    """Whether it leaves a run green."""
    return gate.status in ("passed", "xfail") or bool(gate.excluded)


def headline(run: Run) -> str:
    """The run in one line. Unless something in it did not pass, pytest's exit code is 0."""
    total, bad = len(run.gates), sum(not is_fine(gate) for gate in run.gates)
    not_run = sum(failed.interrupted is None for failed in run.failed)
    parts = [f"{bad} of {total} gates did not pass"] if bad else []
    if run.failed_samples:
        parts.append(f"{run.failed_samples:,} samples that must be correct are not")
    if not_run:
        parts.append(f"{not_run} {'suite' if not_run == 1 else 'suites'} could not be run")
    if not total:
        parts.append("no gate was judged")
    elif not bad:
        so_far = "" if run.whole and not run.failed else "so far "
        parts.append(f"{so_far}{_passed(total, run)}")
    return "; ".join([*parts, *run.exclusions])


def _passed(total: int, run: Run) -> str:
    if expected := sum(gate.status == "xfail" for gate in run.gates):
        return f"{total - expected} of {total} gates passed, {expected} failed as expected"
    selected = " selected" if run.not_selected else " judged" if run.not_reached else ""
    return f"the only{selected} gate passed" if total == 1 else f"all {total}{selected} gates passed"
