"""Agreement between two judges of the same items: the proportion, precision and recall of one against the other, and κ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mtprobe.statistics.clustered import Ratio, equal_weights
from mtprobe.statistics.intervals import (
    RESAMPLES,
    Floats,
    Mask,
    exact,
    percentiles,
    resampled_counts,
)
from mtprobe.statistics.measure import Estimated, Measure


def agreement(
    first: Sequence[str],
    second: Sequence[str],
    clusters: Sequence[str],
    weights: Floats | None = None,
    level: float = 0.95,
) -> Measure:
    """The share of items that both judge alike, weighted if weights are given.

    Items in the same cluster are not independent: two annotators' labels for one sample, for example.
    """
    same = np.asarray(first, dtype=object) == np.asarray(second, dtype=object)
    return proportion(same, np.ones(len(same), dtype=bool), clusters, weights, level)


def precision(judged: Sequence[str], truth: Sequence[str], name: str, clusters: Sequence[str]) -> Measure:
    """The share of items judged to be of this class that are."""
    predicted, actual = (
        np.fromiter((label == name for label in labels), dtype=bool, count=len(labels))
        for labels in (judged, truth)
    )
    return proportion(actual, predicted, clusters)


def recall(judged: Sequence[str], truth: Sequence[str], name: str, clusters: Sequence[str]) -> Measure:
    """The share of items of this class that were judged to be."""
    return precision(truth, judged, name, clusters)


def proportion(
    counted: Mask,
    inside: Mask,
    clusters: Sequence[str],
    weights: Floats | None = None,
    level: float = 0.95,
) -> Measure:
    """The (weighted) share of `counted` among `inside`."""
    n = int(inside.sum())
    weight = np.ones(len(inside)) if weights is None else weights
    total = float(weight[inside].sum())
    if not n or total <= 0:
        return Measure.nothing()
    _, numbers = np.unique(np.asarray(clusters, dtype=str)[inside], return_inverse=True)
    hits, weighed = (
        np.bincount(numbers, weights=values[inside]).astype(np.float64)
        for values in (weight * counted, weight)
    )
    samples = None if weights is None else equal_weights(weight[inside])
    return Estimated(Ratio(hits, weighed, samples).share, n).at(level)


def cohens_kappa(
    first: Sequence[str],
    second: Sequence[str],
    clusters: Sequence[str] | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Measure:
    """Cohen's κ: how far two judges agree on the same items beyond chance, at most 1; no value if both only ever use one and the same label.

    The interval resamples the items, or the clusters that they belong to.
    """
    n = len(first)
    labels, codes = np.unique(np.asarray([*first, *second], dtype=str), return_inverse=True)
    kinds = len(labels)
    if kinds < 2:
        return Measure(None, -1.0, 1.0, n, "κ needs two labels")
    cells = codes[:n] * kinds + codes[n:]
    numbers = np.arange(n) if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    table = np.bincount(cells, minlength=kinds * kinds).astype(np.float64)
    value = float(_kappa(table[None], kinds)[0])
    if value >= 1:  # every resample would be 1, which overstates the certainty
        units = len(np.unique(numbers))
        chance = float(_chance(table[None] / n, kinds)[0])
        return Measure(value, (exact(units, units, level)[0] - chance) / (1 - chance), 1.0, n)
    values = _kappa(_resampled(cells, numbers, kinds, seed), kinds)
    low, high = percentiles(values[np.isfinite(values)], level)
    return Measure(value, min(value, low), max(value, high), n)


def _kappa(tables: Floats, kinds: int) -> Floats:
    """κ of each table; a row holds kinds × kinds counts."""
    shares = tables / tables.sum(axis=1, keepdims=True)
    chance = _chance(shares, kinds)
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Floats = (shares[:, :: kinds + 1].sum(axis=1) - chance) / (1 - chance)
    return value


def _chance(shares: Floats, kinds: int) -> Floats:
    """How often the two would agree if each assigned its labels at random, in its own proportions."""
    square = shares.reshape(-1, kinds, kinds)
    product: Floats = (square.sum(axis=1) * square.sum(axis=2)).sum(axis=1)
    return product


def _resampled(cells: NDArray[np.intp], numbers: NDArray[np.intp], kinds: int, seed: int) -> Floats:
    """Resampled tables: drawn from the pooled table if every item is its own cluster."""
    n, size = len(cells), kinds * kinds
    units = len(np.unique(numbers))
    if units == n:
        shares = np.bincount(cells, minlength=size) / n
        return np.random.default_rng(seed).multinomial(n, shares, size=RESAMPLES).astype(np.float64)
    by_cluster = np.bincount(numbers * size + cells, minlength=units * size).reshape(units, size)
    tables: Floats = resampled_counts(units, seed) @ by_cluster
    return tables
