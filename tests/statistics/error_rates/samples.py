"""Samples drawn from a known truth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from mtprobe.statistics.intervals import Floats

Sizes = NDArray[np.intp]

EQUAL, UNEQUAL, SKEWED = "equal", "unequal", "skewed"
_PATTERNS = {
    EQUAL: (1.0,),
    UNEQUAL: (0.5, 1, 2, 0.5, 1),
    SKEWED: (0.2, 0.5, 0.5, 1, 1, 1, 2, 6),  # one cluster in eight has half of the samples
}


def sizes(clusters: int, size: int, pattern: str = EQUAL) -> Sizes:
    """The numbers of samples per cluster, about `size` on average."""
    factors = np.resize(np.array(_PATTERNS[pattern]), clusters)
    return np.maximum(1, np.round(size * factors)).astype(np.intp)


def chances(
    rng: np.random.Generator, truth: float, correlation: float, clusters: int, kind: str = "beta"
) -> Floats:
    """Each cluster's own chance of success; `truth` on average.

    `beta`: the intra-cluster correlation is that of the samples. `normal`: it is that of a latent normal variable.
    """
    if correlation == 0 or not 0 < truth < 1:
        return np.full(clusters, truth)
    if kind == "beta":
        scale = (1 - correlation) / correlation
        return rng.beta(truth * scale, (1 - truth) * scale, clusters)
    latent = rng.standard_normal(clusters) * np.sqrt(correlation)
    return np.asarray(ndtr((ndtri(truth) - latent) / np.sqrt(1 - correlation)), dtype=np.float64)


def successes(rng: np.random.Generator, chance: Floats, size: Sizes) -> Floats:
    """How many samples of each cluster are right."""
    return rng.binomial(size, chance).astype(np.float64)
