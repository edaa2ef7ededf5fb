"""Cells for a share that labels correct: good, biased and random judges; independent samples and clusters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from mtprobe.statistics.corrected import Stratum, corrected
from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.strata import shared_out

from .cell import Cell, Outcome, gated
from .samples import chances

SECTION = "A share that labels correct"
_SAMPLES = 600

GOOD, BIASED, WORDY, RANDOM, UNDECIDED = "good", "biased", "biased by word", "random", "often undecided"
_ERRS = {  # how often right translations are called wrong, and wrong ones right
    GOOD: (0.03, 0.05),
    BIASED: (0.30, 0.05),
    WORDY: (0.25, 0.15),
    RANDOM: (0.5, 0.5),
    UNDECIDED: (0.03, 0.05),
}


def correction_cell(
    judge: str, labels: int, truth: float, cluster: int = 1, correlation: float = 0.3, drawn: str = "this run"
) -> Cell:
    """`drawn` by the verdicts of this run, or by those of another one, so that weights differ within a stratum."""
    columns = {
        "judge": judge,
        "labels": labels,
        "samples per cluster": cluster,
        "truth": truth,
        "drawn for": drawn,
    }
    draw = partial(
        _run, judge=judge, labels=labels, cluster=cluster, correlation=correlation, drawn=drawn, bound=truth
    )
    better = min(1.0, truth + 0.1) if truth < 1 else None
    return Cell(
        SECTION,
        columns,
        partial(draw, truth=truth),
        partial(draw, truth=better) if better is not None else None,
    )


def cells() -> Iterator[Cell]:
    for judge in (GOOD, BIASED, RANDOM):
        for labels in (20, 50, 100):
            for truth in (0.5, 0.9, 0.99):
                for cluster in (1, 12):
                    yield correction_cell(judge, labels, truth, cluster)
    for labels in (20, 50, 100, 300):
        for truth in (0.5, 0.9):
            yield correction_cell(WORDY, labels, truth, 12, 0.6)
            yield correction_cell(UNDECIDED, labels, truth, 12)
            yield correction_cell(BIASED, labels, truth, 12, drawn="another run")
    yield correction_cell(WORDY, _SAMPLES, 0.7, 12, 0.6)  # all are labelled
    yield correction_cell(RANDOM, _SAMPLES, 0.7, 12, 0.6)


def _run(
    rng: np.random.Generator,
    judge: str,
    labels: int,
    truth: float,
    cluster: int,
    correlation: float,
    drawn: str,
    bound: float,
) -> Outcome:
    clusters = np.repeat(np.arange(_SAMPLES // cluster), cluster)
    chance = chances(rng, truth, correlation if cluster > 1 else 0.0, _SAMPLES // cluster)
    right = rng.random(_SAMPLES) < chance[clusters]
    verdicts = judged(rng, right, judge, clusters)
    first = verdicts
    if drawn == "another run":
        earlier = np.where(rng.random(_SAMPLES) < 0.7, right, rng.random(_SAMPLES) < truth)
        first = judged(rng, earlier, judge, clusters)
    weights = _drawn(rng, first, labels)
    estimate = corrected(strata(verdicts, right, weights, clusters))
    if estimate is None:
        return Outcome(passed=False, failed=False, covered=True)
    return gated(estimate, ">=", bound)


def judged(rng: np.random.Generator, right: np.ndarray, judge: str, clusters: np.ndarray) -> np.ndarray:
    """0: incorrect, 1: correct, 2: undecided."""
    missed, accepted = _ERRS[judge]
    rates = np.where(right, missed, accepted)
    if judge == WORDY:  # of a word, most verdicts are wrong or none
        rates = rates * rng.binomial(1, 0.5, clusters.max() + 1)[clusters] * 2
    wrong = rng.random(len(right)) < rates
    verdicts = (right != wrong).astype(int)
    if judge == UNDECIDED:  # the hard ones are
        verdicts[rng.random(len(right)) < np.where(right, 0.2, 0.6)] = 2
    return verdicts


def _drawn(rng: np.random.Generator, verdicts: np.ndarray, labels: int) -> Floats:
    """1 / the probability of each drawn sample, 0 for the others."""
    weights = np.zeros(len(verdicts))
    kinds = np.unique(verdicts)
    members = [np.flatnonzero(verdicts == kind) for kind in kinds]
    for inside, count in zip(members, shared_out(labels, [*map(len, members)]), strict=True):
        if count:
            weights[rng.choice(inside, count, replace=False)] = len(inside) / count
    return weights


def strata(verdicts: np.ndarray, right: np.ndarray, weights: Floats, clusters: np.ndarray) -> list[Stratum]:
    clear = np.ones(len(right), dtype=bool)
    return [
        Stratum.of(clusters, weights, clear, right, guess, inside=verdicts == kind)
        for kind, guess in ((0, 0.0), (1, 1.0), (2, 0.5))
    ]
