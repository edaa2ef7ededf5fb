"""Repairs: reverse the error of a wrong translation. Each returns candidates; the method decides."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.authoring.power.repairs.exchanged import other_reading
from mtprobe.authoring.power.repairs.restored import restored
from mtprobe.methods import Preparation
from mtprobe.methods.verdict import Result

Candidates = dict[str, list[str]]
"""Texts by sample id, the likeliest first."""


def candidates(results: Sequence[Result], preparation: Preparation) -> Candidates:
    """For translations that are wrong, and for half of those of open samples: a fair model has no preference."""
    found: Candidates = {}
    for repair in (other_reading, restored):
        for sample_id, text in repair(results, preparation):
            found.setdefault(sample_id, []).append(text)
    return found
