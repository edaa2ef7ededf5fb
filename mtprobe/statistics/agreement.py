"""How far two judges of the same things agree: the proportion, and precision and recall of one judged by the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtprobe.statistics.intervals import Floats, Mask, cluster_ratio, wilson
from mtprobe.statistics.measure import Measure


def agreement(
    one: Sequence[str],
    other: Sequence[str],
    clusters: Sequence[str],
    weights: Floats | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Measure:
    """The share of places where both say the same, weighted if weights are given.

    Places that share a cluster are not independent: two annotators' labels of one sample, for example.
    """
    same = np.asarray(one, dtype=object) == np.asarray(other, dtype=object)
    return proportion(same, np.ones(len(same), dtype=bool), clusters, weights, seed, level)


def precision(
    judged: Sequence[str], truth: Sequence[str], name: str, clusters: Sequence[str], seed: int = 0
) -> Measure:
    """Of the places that were judged to be of this class, the share that is."""
    found, held = _holding(judged, name), _holding(truth, name)
    return proportion(held, found, clusters, None, seed)


def recall(
    judged: Sequence[str], truth: Sequence[str], name: str, clusters: Sequence[str], seed: int = 0
) -> Measure:
    """Of the places that are of this class, the share that was judged to be."""
    found, held = _holding(judged, name), _holding(truth, name)
    return proportion(found, held, clusters, None, seed)


def _holding(labels: Sequence[str], name: str) -> Mask:
    return np.fromiter((label == name for label in labels), dtype=bool, count=len(labels))


def proportion(
    counted: Mask,
    inside: Mask,
    clusters: Sequence[str],
    weights: Floats | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Measure:
    """The (weighted) share of `counted` among `inside`: Wilson's interval where clusters are single, else resampled."""
    n = int(inside.sum())
    weight = np.ones(len(inside)) if weights is None else weights
    total = float(weight[inside].sum())
    if not n or total <= 0:
        return Measure.nothing()
    value = float(weight[inside & counted].sum()) / total
    _, numbers = np.unique(np.asarray(clusters, dtype=str)[inside], return_inverse=True)
    if weights is None and len(np.unique(numbers)) == n:
        return Measure(value, *wilson(int((inside & counted).sum()), n, level), n)
    hits, weighed = (
        np.bincount(numbers, weights=values[inside]).astype(np.float64)
        for values in (weight * counted, weight)
    )
    return Measure(value, *cluster_ratio(hits, weighed, seed, level), n)
