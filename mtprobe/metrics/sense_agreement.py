"""Do two sets of translations, into two languages or by two models, convey the same senses? (DiBiMT)"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtprobe.methods.verdict import Result
from mtprobe.metrics.senses import senses_of
from mtprobe.statistics.agreement import proportion
from mtprobe.statistics.measure import Measure


def sense_agreement(
    first: Sequence[Result], second: Sequence[Result], seed: int = 0, level: float = 0.95
) -> Measure:
    """The share of samples in which a sense fits both translations, among those with known senses for both."""
    others = {key(result): senses_of(result) for result in second}
    both = [
        (result.cluster, senses, others[key(result)])
        for result in first
        if (senses := senses_of(result)) and others.get(key(result))
    ]
    shared = np.array([not senses.isdisjoint(other) for _, senses, other in both], dtype=bool)
    everything = np.ones(len(both), dtype=bool)
    return proportion(shared, everything, [cluster for cluster, *_ in both], None, seed, level)


def key(result: Result) -> tuple[str, str]:
    """What identifies a sample across runs: its file and its id."""
    return result.path, result.id
