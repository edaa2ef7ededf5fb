"""Cells for a share that labels correct: good, biased and random judges; independent samples and clusters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import betaincinv

from mtprobe.statistics.clustered import correlation_of
from mtprobe.statistics.corrected import Corrected, Stratum, corrected
from mtprobe.statistics.extremes import LargestGap, Lowest
from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.strata import shared_out

from .cell import Cell, Outcome, gated
from .samples import chances

SECTION = "A share that labels correct"
EXTREMES = "A gap and a minimum that labels correct"
SAMPLES = 600

GOOD, BIASED, WORDY, RANDOM, UNDECIDED = "good", "biased", "biased by word", "random", "often undecided"
_ERRS = {  # how often right translations are called wrong, and wrong ones right
    GOOD: (0.03, 0.05),
    BIASED: (0.30, 0.05),
    WORDY: (0.25, 0.15),
    RANDOM: (0.5, 0.5),
    UNDECIDED: (0.03, 0.05),
}


def correction_cell(
    judge: str,
    labels: int,
    truth: float,
    cluster: int = 1,
    correlation: float = 0.3,
    drawn: str = "this run",
    unclear: float = 0.0,
) -> Cell:
    """`drawn` by the verdicts of this run, or by those of another one, so that weights differ within a stratum."""
    columns = {
        "judge": judge,
        "labels": labels,
        "samples per cluster": cluster,
        "truth": truth,
        "drawn for": drawn,
        "unclear": unclear,
    }
    facts = Facts(judge, labels, cluster, correlation, drawn, unclear)
    draw = partial(_run, facts=facts, bound=truth)
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
    yield correction_cell(WORDY, SAMPLES, 0.7, 12, 0.6)  # all are labelled
    yield correction_cell(RANDOM, SAMPLES, 0.7, 12, 0.6)
    for judge in (GOOD, BIASED, RANDOM):
        for labels in (50, 100):
            yield correction_cell(judge, labels, 0.9, 60)  # 10 clusters
            yield correction_cell(judge, labels, 0.9, 12, unclear=0.2)
            for truths in ((0.9, 0.7), (0.95, 0.95)):
                for metric in ("gap", "minimum"):
                    yield extreme_cell(metric, judge, labels, truths)


def extreme_cell(metric: str, judge: str, labels: int, truths: tuple[float, float]) -> Cell:
    """Two groups that share their clusters, each with so many labels; the judge is good on the first group."""
    bound = truths[0] - truths[1] if metric == "gap" else min(truths)
    columns = {
        "metric": metric,
        "judge of the second": judge,
        "labels each": labels,
        "truths": f"{truths[0]}, {truths[1]}",
    }
    return Cell(
        EXTREMES,
        columns,
        partial(_extreme, metric=metric, judge=judge, labels=labels, truths=truths, bound=bound),
    )


@dataclass(frozen=True, slots=True)
class Facts:
    """A situation, but for the truth."""

    judge: str
    labels: int
    cluster: int
    correlation: float
    drawn: str = "this run"
    unclear: float = 0.0


def _run(rng: np.random.Generator, facts: Facts, truth: float, bound: float) -> Outcome:
    number = SAMPLES // facts.cluster
    chance = chances(rng, truth, facts.correlation if facts.cluster > 1 else 0.0, number)
    estimate = _estimate(rng, facts, truth, chance)
    return gated(estimate, ">=", bound) if estimate else _UNKNOWN


def _extreme(
    rng: np.random.Generator, metric: str, judge: str, labels: int, truths: tuple[float, float], bound: float
) -> Outcome:
    latent = rng.random(SAMPLES // 12)
    estimates = []
    for truth, own in zip(truths, (GOOD, judge), strict=True):
        chance = _shared_chances(latent, truth)
        estimates.append(_estimate(rng, Facts(own, labels, 12, 0.3), truth, chance))
    first, second = estimates
    if first is None or second is None:
        return _UNKNOWN
    if metric == "minimum":
        return gated(Lowest((first, second)), ">=", bound)
    correlations = correlation_of([first.influences, second.influences]).clip(max=0.0)
    return gated(LargestGap((first, second), correlations), "<=", bound)


_UNKNOWN = Outcome(passed=False, failed=False, covered=True)


def _shared_chances(latent: Floats, truth: float) -> Floats:
    """As `chances` with a correlation of 0.3, from ranks that several groups share."""
    return np.asarray(betaincinv(truth * 7 / 3, (1 - truth) * 7 / 3, latent), dtype=np.float64)


def _estimate(rng: np.random.Generator, facts: Facts, truth: float, chance: Floats) -> Corrected | None:
    clusters = np.repeat(np.arange(SAMPLES // facts.cluster), facts.cluster)
    right = rng.random(SAMPLES) < chance[clusters]
    verdicts = first = judged(rng, right, facts.judge, clusters)
    if facts.drawn == "another run":
        earlier = np.where(rng.random(SAMPLES) < 0.7, right, rng.random(SAMPLES) < truth)
        first = judged(rng, earlier, facts.judge, clusters)
    weights = drawn_from(rng, first, facts.labels)
    clear = rng.random(SAMPLES) >= facts.unclear
    return corrected(strata(verdicts, right, weights, clusters, clear))


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


def drawn_from(rng: np.random.Generator, verdicts: np.ndarray, labels: int) -> Floats:
    """1 / the probability of each drawn sample, 0 for the others."""
    weights = np.zeros(len(verdicts))
    kinds = np.unique(verdicts)
    members = [np.flatnonzero(verdicts == kind) for kind in kinds]
    for inside, count in zip(members, shared_out(labels, [*map(len, members)]), strict=True):
        if count:
            weights[rng.choice(inside, count, replace=False)] = len(inside) / count
    return weights


def strata(
    verdicts: np.ndarray,
    right: np.ndarray,
    weights: Floats,
    clusters: np.ndarray,
    clear: np.ndarray | None = None,
) -> list[Stratum]:
    clear = np.ones(len(right), dtype=bool) if clear is None else clear
    return [
        Stratum.of(clusters, weights, clear, right, guess, inside=verdicts == kind)
        for kind, guess in ((0, 0.0), (1, 1.0), (2, 0.5))
    ]
