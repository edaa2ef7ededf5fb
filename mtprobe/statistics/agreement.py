"""Agreement between two judges of the same items: the proportion, and precision and recall of one against the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtprobe.statistics.intervals import Floats, Mask, cluster_ratio, wilson
from mtprobe.statistics.measure import Measure


def agreement(
    first: Sequence[str],
    second: Sequence[str],
    clusters: Sequence[str],
    weights: Floats | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Measure:
    """The share of items that both judge alike, weighted if weights are given.

    Items in the same cluster are not independent: two annotators' labels for one sample, for example.
    """
    same = np.asarray(first, dtype=object) == np.asarray(second, dtype=object)
    return proportion(same, np.ones(len(same), dtype=bool), clusters, weights, seed, level)


def precision(
    judged: Sequence[str], truth: Sequence[str], name: str, clusters: Sequence[str], seed: int = 0
) -> Measure:
    """The share of items judged to be of this class that are."""
    predicted, actual = (
        np.fromiter((label == name for label in labels), dtype=bool, count=len(labels))
        for labels in (judged, truth)
    )
    return proportion(actual, predicted, clusters, None, seed)


def recall(
    judged: Sequence[str], truth: Sequence[str], name: str, clusters: Sequence[str], seed: int = 0
) -> Measure:
    """The share of items of this class that were judged to be."""
    return precision(truth, judged, name, clusters, seed)


def proportion(
    counted: Mask,
    inside: Mask,
    clusters: Sequence[str],
    weights: Floats | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Measure:
    """The (weighted) share of `counted` among `inside`: Wilson's interval if no two share a cluster, else resampled."""
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
