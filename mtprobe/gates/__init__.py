"""Gates: reading and judging them."""

from mtprobe.gates.doubts import Consequence, Doubt, Doubts, VerdictAudit
from mtprobe.gates.early import Early, Population
from mtprobe.gates.judge import Decision, GateResult, judge_gate, skipped_gate
from mtprobe.gates.labels import with_labels
from mtprobe.gates.parse import Bound, Gate, GateError, gates_for, idle_gates, read_bound, reversed_gates

__all__ = [
    "Bound",
    "Consequence",
    "Decision",
    "Doubt",
    "Doubts",
    "Early",
    "Gate",
    "GateError",
    "GateResult",
    "Population",
    "VerdictAudit",
    "gates_for",
    "idle_gates",
    "judge_gate",
    "read_bound",
    "reversed_gates",
    "skipped_gate",
    "with_labels",
]
