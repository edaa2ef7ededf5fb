"""Counts which values of a target attribute a model prefers and rejects.

For each sample the target with the best score is preferred and the others are rejected.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.methods.verdict import TRANSLATION, Result
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import RESAMPLES, Floats, Mask
from mtprobe.suite.sample import Scalar

_BATCH = 100  # resamples at a time


@dataclass(frozen=True, slots=True)
class Preferences:
    """Counts of each value, [clusters, values]; the value with the lowest rank first."""

    values: tuple[Scalar, ...]
    preferred: Floats
    rejected: Floats
    expected: Floats  # how often each would be preferred if a sample's targets were all alike

    @property
    def n(self) -> int:
        return int(self.preferred.sum())

    def __str__(self) -> str:
        """`preferred: feminine 311 of 1,050, …`: how often a value is preferred, of the times that it could be."""
        preferred = self.preferred.sum(axis=0)
        total = preferred + self.rejected.sum(axis=0)
        counts = (
            f"{value} {int(times):,} of {int(of):,}"
            for value, times, of in zip(self.values, preferred, total, strict=True)
        )
        return f"preferred: {', '.join(counts)}"


def preferences(tally: Tally, attribute: str, mask: Mask) -> Preferences:
    """Preferences of the samples whose scores single out one target."""
    scale = tally.variants.get(attribute, ())
    chosen = [
        (int(tally.clusters[index]), *preference)
        for index in np.flatnonzero(mask)
        if (preference := _preference(tally.results[int(index)], attribute, scale)) is not None
    ]
    ranks = {value: rank for _, best, others in chosen for value, rank in (best, *others)}
    values = tuple(sorted(ranks, key=lambda value: ranks[value]))
    column = {value: number for number, value in enumerate(values)}
    row = {cluster: number for number, cluster in enumerate(dict.fromkeys(one for one, *_ in chosen))}
    preferred, rejected, expected = (np.zeros((len(row), len(values))) for _ in range(3))
    for cluster, (best, _), others in chosen:
        preferred[row[cluster], column[best]] += 1
        for value, _ in others:
            rejected[row[cluster], column[value]] += 1
        for value in (best, *(other for other, _ in others)):
            expected[row[cluster], column[value]] += 1 / (1 + len(others))
    return Preferences(values, preferred, rejected, expected)


def cramers_v(preferred: Floats, rejected: Floats) -> float:
    """Cramér's V of the counts of each value: how far the value and the preference go together, in any order; 0 to 1."""
    table = np.stack([preferred, rejected])
    table = table[:, table.sum(axis=0) > 0]
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return math.sqrt(float(((table - expected) ** 2 / expected).sum() / table.sum()))


def swap_test(counts: Preferences, seed: int = 0) -> float:
    """p of a permutation test: could the preferences of each cluster as well have been the opposite?

    It uses no order of the values, and takes the samples of a cluster together.
    """
    expected = counts.expected.sum(axis=0)
    deviations = counts.preferred - counts.expected
    observed = float((deviations.sum(axis=0) ** 2 / expected).sum())
    random = np.random.default_rng(seed)
    as_far = 0
    for start in range(0, RESAMPLES, _BATCH):
        signs = random.choice((-1.0, 1.0), size=(min(_BATCH, RESAMPLES - start), len(deviations)))
        as_far += int((((signs @ deviations) ** 2 / expected).sum(axis=1) >= observed - 1e-9).sum())
    return (1 + as_far) / (1 + RESAMPLES)


def _preference(
    result: Result, attribute: str, scale: Sequence[Scalar]
) -> tuple[tuple[Scalar, float], list[tuple[Scalar, float]]] | None:
    """The best target's value with its rank, and those of the others; None if scores do not single one out."""
    targets = sorted(_ranked(result, attribute, scale), key=lambda target: -target[0])
    if len(targets) < 2 or targets[0][0] == targets[1][0]:  # a tie expresses no preference
        return None
    (_, best, rank), *others = targets
    return (best, rank), [(other, lower) for _, other, lower in others]


def _ranked(result: Result, attribute: str, scale: Sequence[Scalar]) -> Iterator[tuple[float, Scalar, float]]:
    """The score of each target with the attribute, its value and the value's rank."""
    for item in result.verdict.evidence:
        if item.side == TRANSLATION or item.score is None or attribute not in item.attributes:
            continue
        value = item.attributes[attribute]
        if (rank := _rank(value, scale)) is not None:
            yield item.score, value, rank


def _rank(value: Scalar, scale: Sequence[Scalar]) -> float | None:
    """The position on the scale, or the number itself; None for a word that is not on the scale."""
    if value in scale:
        return float(scale.index(value) + 1)
    return None if isinstance(value, str) else float(value)
