"""Cells for gates that are decided before all samples were asked: at every moment, by whatever rule a run stops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from mtprobe.gates import Bound, Decision
from mtprobe.gates.early import decide_early
from mtprobe.gates.judge import decide
from mtprobe.statistics.clustered import Ratio, correlations
from mtprobe.statistics.extremes import LargestGap, Lowest
from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.measure import Estimated
from mtprobe.statistics.sequential import (
    ConfidenceSequence,
    GapSequence,
    LowestSequence,
    RatioSequence,
    limits,
)

from .cell import LEVEL, Cell, Outcome
from .samples import EQUAL, SKEWED, UNEQUAL, chances, sizes

SHARE = "Sequential: a share of all samples, at any moment"
EXTREMES = "Sequential: gaps, minima and losses over all samples, at any moment"
LEVELS = "Sequential: a share with a level, in blocks, then all samples"
RISK = (1 - LEVEL) / 2
_BLOCKS = (24, 33, 47, 65, 92, 129, 180, 253, 354, 496, 694, 972)


def share_cell(
    members: int, truth: float, undecided: float = 0.0, size: int = 1, pattern: str = EQUAL
) -> Cell:
    """A suite whose share is exactly the bound; better: 0.1 above it, and decided on half of the samples."""
    labels = {
        "members": members,
        "samples each": f"{size}{'' if pattern == EQUAL else f' ({pattern})'}",
        "truth": truth,
        "undecided": undecided,
    }
    draw = partial(_share, members=sizes(members, size, pattern), undecided=undecided)
    better = partial(_better, draw=partial(draw, truth=min(1.0, truth + 0.1)), bound=truth)
    return Cell(SHARE, labels, partial(_at_any_moment, draw=partial(draw, truth=truth)), better)


def extreme_cell(metric: str, truths: Sequence[float], samples: int) -> Cell:
    """`samples` of each group, in random order together."""
    labels = {
        "metric": metric,
        "truths": ", ".join(f"{truth:g}" for truth in truths),
        "samples each": samples,
    }
    draw = partial(_DRAWS[metric], truths=tuple(truths), samples=samples)
    return Cell(EXTREMES, labels, partial(_at_any_moment, draw=draw))


def level_cell(
    clusters: int, size: int, truth: float, correlation: float, pattern: str = EQUAL, metric: str = "share"
) -> Cell:
    """Clusters from an endless population: blocks are looked at, and the interval of all samples in the end."""
    labels = {
        "metric": metric,
        "clusters": clusters,
        "samples each": f"{size}{'' if pattern == EQUAL else f' ({pattern})'}",
        "ICC": correlation,
        "truth": truth,
    }
    draw = partial(_level, metric=metric, size=sizes(clusters, size, pattern), correlation=correlation)
    better = min(1.0, truth + 0.1)
    return Cell(
        LEVELS,
        labels,
        partial(draw, truth=truth, bound=truth),
        partial(draw, truth=better, bound=truth) if metric == "share" and clusters < 200 else None,
    )


def cells() -> Iterator[Cell]:
    for members in (20, 50, 100, 300, 1000):
        for truth in (0.5, 0.9, 0.98):
            yield share_cell(members, truth)
    for members in (50, 300):
        for truth in (0.5, 0.9):
            yield share_cell(members, truth, undecided=0.2)
            for pattern in (EQUAL, UNEQUAL, SKEWED):
                yield share_cell(members, truth, size=5, pattern=pattern)
    for samples in (25, 100):
        yield extreme_cell("minimum", (0.7, 0.7), samples)
        yield extreme_cell("minimum", (0.9, 0.7, 0.9), samples)
        yield extreme_cell("gap", (0.9, 0.7), samples)
        yield extreme_cell("gap", (0.5, 0.5), samples)
        yield extreme_cell("gap", (0.95, 0.75, 0.85), samples)
        yield extreme_cell("loss", (0.02,), samples)
        yield extreme_cell("loss", (0.1,), samples)
    for clusters in (20, 60, 200):
        for size, pattern in ((1, EQUAL), (5, EQUAL), (5, SKEWED)):
            for correlation in (0.3, 1.0) if size > 1 else (0.0,):
                for truth in (0.6, 0.9):
                    yield level_cell(clusters, size, truth, correlation, pattern)
    for clusters in (20, 60):
        for correlation in (0.3, 1.0):
            yield level_cell(clusters, 10, 0.8, correlation, metric="minimum")
            yield level_cell(clusters, 10, 0.8, correlation, metric="gap")


# -- all samples of a suite --


def _share(
    rng: np.random.Generator, members: np.ndarray, undecided: float, truth: float
) -> tuple[RatioSequence, float]:
    """A population with about this share, in random order, and its exact share."""
    counts = rng.binomial(members, 1 - undecided).astype(np.float64)
    right = np.zeros(int(counts.sum()))
    right[: round(truth * len(right))] = 1
    owners = np.repeat(np.arange(len(members)), counts.astype(int))
    hits = np.bincount(owners, weights=rng.permutation(right), minlength=len(members))
    order = rng.permutation(len(members))
    sequence = RatioSequence(hits[order], counts[order], members[order].astype(np.float64))
    return sequence, float(hits.sum() / counts.sum())


def _groups(rng: np.random.Generator, truths: Sequence[float], samples: int) -> tuple[RatioSequence, ...]:
    group = rng.permutation(np.repeat(np.arange(len(truths)), samples))
    hits = np.zeros(len(group))
    for number, truth in enumerate(truths):
        right = np.arange(samples) < round(truth * samples)
        hits[group == number] = rng.permutation(right)
    return tuple(
        RatioSequence(hits * (group == number), 1.0 * (group == number), 1.0 * (group == number))
        for number in range(len(truths))
    )


def _shares(ratios: Sequence[RatioSequence]) -> list[float]:
    return [float(ratio.numerators.sum() / ratio.denominators.sum()) for ratio in ratios]


def _minimum(rng: np.random.Generator, truths: Sequence[float], samples: int) -> tuple[LowestSequence, float]:
    ratios = _groups(rng, truths, samples)
    return LowestSequence(ratios), min(_shares(ratios))


def _gap(rng: np.random.Generator, truths: Sequence[float], samples: int) -> tuple[GapSequence, float]:
    ratios = _groups(rng, truths, samples)
    return GapSequence(ratios), max(_shares(ratios)) - min(_shares(ratios))


def _loss(rng: np.random.Generator, truths: Sequence[float], samples: int) -> tuple[RatioSequence, float]:
    """A tenth of the samples was fixed, and so many more regressed."""
    changes = np.zeros(samples)
    fixed = samples // 10
    regressed = round(truths[0] * samples) + fixed
    changes[:fixed], changes[fixed : fixed + regressed] = -1, 1
    ones = np.ones(samples)
    return RatioSequence(rng.permutation(changes), ones, ones, lowest=-1.0), float(changes.mean())


_DRAWS = {"minimum": _minimum, "gap": _gap, "loss": _loss}


def _at_any_moment(rng: np.random.Generator, draw: partial) -> Outcome:
    """The capital that was largest over all moments decides: no rule for stopping does worse."""
    sequence, truth = draw(rng)
    covered = None
    if not isinstance(sequence, GapSequence):  # whose limits take long
        low, high = limits(_first(sequence, int(rng.integers(1, _asked(sequence)))), RISK)
        covered = low - 1e-9 <= truth <= high + 1e-9
    return Outcome(sequence.shows_more(truth, RISK), sequence.shows_less(truth, RISK), covered)


def _better(rng: np.random.Generator, draw: partial, bound: float) -> Outcome:
    sequence, _ = draw(rng)
    return Outcome(_first(sequence, _asked(sequence) // 2).shows_more(bound, RISK), failed=False)


def _asked(sequence: ConfidenceSequence) -> int:
    return len((sequence if isinstance(sequence, RatioSequence) else sequence.ratios[0]).numerators)


def _first(sequence: ConfidenceSequence, count: int) -> ConfidenceSequence:
    """As it was after so many samples."""
    if not isinstance(sequence, RatioSequence):
        return type(sequence)(tuple(_first(ratio, count) for ratio in sequence.ratios))
    return RatioSequence(
        sequence.numerators[:count],
        sequence.denominators[:count],
        sequence.capacities,
        sequence.lowest,
        sequence.highest,
    )


# -- other samples of the same kind --


def _level(
    rng: np.random.Generator, metric: str, size: np.ndarray, correlation: float, truth: float, bound: float
) -> Outcome:
    groups = 1 if metric == "share" else 2
    hits, cluster, group = [], [], []
    for number in range(groups):
        level = truth if metric != "gap" or number else truth - 0.2
        if correlation == 1:
            chance = (rng.random(len(size)) < level).astype(np.float64)
        else:
            chance = chances(rng, level, correlation, len(size))
        owners = np.repeat(np.arange(len(size)), size)
        hits.append((rng.random(len(owners)) < chance[owners]).astype(np.float64))
        cluster.append(owners)
        group.append(np.full(len(owners), number))
    order = rng.permutation(sum(map(len, hits)))
    columns = [np.concatenate(column)[order] for column in (hits, cluster, group)]
    sign, value = ("<=", 0.2) if metric == "gap" else (">=", bound)
    decision = _in_blocks(metric, *columns, Bound(sign, value, LEVEL))
    return Outcome(decision is Decision.PASSED, decision is Decision.FAILED)


def _in_blocks(metric: str, hits: Floats, cluster: np.ndarray, group: np.ndarray, bound: Bound) -> Decision:
    inside = [1.0 * (group == number) for number in range(int(group.max()) + 1)]
    for count in _BLOCKS:
        if count >= len(hits):
            break
        ratios = tuple(RatioSequence((hits * of)[:count], of[:count], of) for of in inside)
        sequence: ConfidenceSequence = ratios[0]
        if metric != "share":
            sequence = LowestSequence(ratios) if metric == "minimum" else GapSequence(ratios)
        estimated = _estimate(metric, hits[:count], cluster[:count], [of[:count] for of in inside])
        if (decision := decide_early(bound, estimated.at(LEVEL), sequence)) is not Decision.UNDECIDED:
            return decision
    return decide(bound, _estimate(metric, hits, cluster, inside).at(LEVEL))


def _estimate(metric: str, hits: Floats, cluster: np.ndarray, inside: Sequence[Floats]) -> Estimated:
    _, cluster = np.unique(cluster, return_inverse=True)
    ratios = [
        Ratio(np.bincount(cluster, weights=hits * of), np.bincount(cluster, weights=of)) for of in inside
    ]
    if any(not ratio.denominators.any() for ratio in ratios):
        return Estimated.nothing()
    shares = tuple(ratio.share for ratio in ratios)
    if metric == "share":
        return Estimated(shares[0], len(hits))
    estimate = Lowest(shares) if metric == "minimum" else LargestGap(shares, correlations(ratios))
    return Estimated(estimate, len(hits))
