"""Do two translations of the same sentences, into two languages or by two models, have the same sense? (DiBiMT)"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtprobe.methods.verdict import Result
from mtprobe.metrics.senses import senses_of
from mtprobe.statistics.agreement import proportion
from mtprobe.statistics.measure import Measure


def sense_agreement(
    one: Sequence[Result], other: Sequence[Result], seed: int = 0, level: float = 0.95
) -> Measure:
    """The share of samples in which a sense fits both, of those in which a sense is known of both."""
    theirs = {key(result): senses_of(result) for result in other}
    both = [
        (result.cluster, mine, theirs[key(result)])
        for result in one
        if (mine := senses_of(result)) and theirs.get(key(result))
    ]
    shared = np.array([not mine.isdisjoint(their) for _, mine, their in both], dtype=bool)
    everything = np.ones(len(both), dtype=bool)
    return proportion(shared, everything, [cluster for cluster, *_ in both], None, seed, level)


def key(result: Result) -> tuple[str, str]:
    """What makes two results those of one sample: the file that it stands in, and its id there."""
    return result.path, result.id
