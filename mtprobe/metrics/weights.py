"""Confidence weights of contrastive conditioning: inside a category the surest of n counts n, the least sure 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mtprobe.metrics.intervals import Floats


def confidence_weights(confidences: Floats, categories: NDArray[np.intp]) -> Floats:
    """A weight a sample; equal confidences share the average of their weights, so order does not matter."""
    weights = np.zeros(len(confidences))
    for category in np.unique(categories):
        inside = categories == category
        weights[inside] = _average_ranks(confidences[inside])
    return weights


def _average_ranks(values: Floats) -> Floats:
    """1 for the smallest, n for the largest; equal values share the average."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = counts.cumsum() - (counts - 1) / 2
    return ranks[inverse]
