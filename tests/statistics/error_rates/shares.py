"""Cells for one share: accuracy, shares of outcomes, chosen; of independent samples and of clusters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from mtprobe.statistics.clustered import Ratio, independent

from .cell import GOAL, Cell, Outcome, gated
from .samples import EQUAL, SKEWED, UNEQUAL, chances, sizes, successes

INDEPENDENT = "A share of independent samples"
CLUSTERED = "A share of samples in clusters"
_SIZES = (20, 50, 100, 200, 500)
_TRUTHS = (0.5, 0.7, 0.9, 0.95, 0.98)


def independent_cell(n: int, truth: float) -> Cell:
    labels = {"samples": n, "truth": truth}
    run = partial(_independent, n=n, truth=truth, bound=truth)
    better = partial(_independent, n=n, truth=min(1.0, truth + _better(truth)), bound=truth)
    return Cell(INDEPENDENT, labels, run, better)


def clustered_cell(
    clusters: int, size: int, truth: float, correlation: float, pattern: str = EQUAL, kind: str = "beta"
) -> Cell:
    labels = {
        "clusters": clusters,
        "samples each": f"{size}{'' if pattern == EQUAL else f' ({pattern})'}",
        "ICC": f"{correlation}{'' if kind == 'beta' else ' (latent)'}",
        "truth": truth,
    }
    draw = partial(_clustered, correlation=correlation, kind=kind, size=sizes(clusters, size, pattern))
    return Cell(
        CLUSTERED,
        labels,
        partial(draw, truth=truth, bound=truth),
        partial(draw, truth=min(1.0, truth + _better(truth)), bound=truth),
        GOAL if clusters >= 10 else None,
    )


def cells() -> Iterator[Cell]:
    for n in _SIZES:
        for truth in (*_TRUTHS, 0.99):
            yield independent_cell(n, truth)
    for clusters in (5, 10, 20, 30, 60, 200):
        for correlation in (0.0, 0.1, 0.3, 0.6):
            for truth in (0.7, 0.9, 0.95):
                yield clustered_cell(clusters, 5, truth, correlation)
    for clusters in (10, 30, 60, 200):
        for correlation in (0.1, 0.3, 0.6):
            for truth in (0.9, 0.98):
                yield clustered_cell(clusters, 20, truth, correlation)
        for truth in (0.7, 0.9, 0.95):
            yield clustered_cell(clusters, 2, truth, 0.3)
            yield clustered_cell(clusters, 5, truth, 0.3, UNEQUAL)
            yield clustered_cell(clusters, 5, truth, 0.3, SKEWED)
            yield clustered_cell(clusters, 5, truth, 0.3, kind="normal")
            yield clustered_cell(clusters, 20, truth, 0.6, UNEQUAL, kind="normal")


def _better(truth: float) -> float:
    """By how much the truth is better than the bound where power is shown."""
    return min(0.1, (1 - truth) * 0.8)


def _independent(rng: np.random.Generator, n: int, truth: float, bound: float) -> Outcome:
    return gated(independent(float(rng.binomial(n, truth)), n), ">=", bound)


def _clustered(
    rng: np.random.Generator, truth: float, bound: float, correlation: float, kind: str, size: np.ndarray
) -> Outcome:
    chance = chances(rng, truth, correlation, len(size), kind)
    return gated(Ratio(successes(rng, chance, size), size.astype(np.float64)).share, ">=", bound)
