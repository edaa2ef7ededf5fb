"""Gates: reading and judging them."""

from mtprobe.gates.doubts import Doubt, Doubts
from mtprobe.gates.judge import Decision, GateResult, judge_gate
from mtprobe.gates.labels import with_labels
from mtprobe.gates.parse import Bound, Gate, GateError, gates_for, read_bound

__all__ = [
    "Bound",
    "Decision",
    "Doubt",
    "Doubts",
    "Gate",
    "GateError",
    "GateResult",
    "gates_for",
    "judge_gate",
    "read_bound",
    "with_labels",
]
