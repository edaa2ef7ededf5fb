"""Values corrected by labels, next to those by verdicts alone."""

from __future__ import annotations

from mtprobe.gates import GateResult
from mtprobe.report.numbers import interval, share
from mtprobe.statistics.measure import Measure

COLUMNS = ("corrected", "95% interval", "labels")


def corrected_cells(measure: Measure) -> list[str]:
    """In the order of `COLUMNS`."""
    return [share(measure.value), interval(measure), f"{measure.n:,}"]


def beside(gate: GateResult) -> str:
    """The number that the gate was not decided on; empty where there are no labels."""
    if gate.raw is not None:
        return f"by verdicts alone {share(gate.raw.value)}, {interval(gate.raw)}"
    if gate.corrected is not None:
        corrected = gate.corrected
        return f"corrected {share(corrected.value)}, {interval(corrected)}, {corrected.n:,} labels"
    return ""


def needed(gate: GateResult) -> str:
    """About how much more would decide an undecided gate."""
    if gate.n_to_decide is None:
        return ""
    group = gate.measure.note if gate.raw is None and gate.metric and gate.metric.counts_lowest else ""
    what = "labels" if gate.raw is not None else f"samples of {group}" if group else "samples"
    return f"about {gate.n_to_decide:,} {what} would decide it"
