"""Confidence weights of contrastive conditioning: within a category of n, the most confident sample weighs n, the least 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.ranks import average_ranks


def confidence_weights(confidences: Floats, categories: NDArray[np.intp]) -> Floats:
    """One weight per sample; equal confidences share the average of their weights, so order does not matter."""
    weights = np.zeros(len(confidences))
    for category in np.unique(categories):
        inside = categories == category
        weights[inside] = average_ranks(confidences[inside])
    return weights
