"""Cells for a gap and a minimum: the data choose which groups they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from mtprobe.statistics.clustered import Ratio, correlations
from mtprobe.statistics.extremes import LargestGap, Lowest

from .cell import Cell, Outcome, gated
from .samples import chances

GAP = "A gap between groups"
MINIMUM = "A minimum over groups"

# Independent samples, or clusters that all groups share: with chances of their own, the same or opposite ones.
APART, OWN, SAME, OPPOSITE = "independent", "own", "same", "opposite"
_SIZE = 5  # samples per group in a cluster
_CORRELATION = 0.3


def gap_cell(groups: str, truths: Sequence[float], n: int, clusters: str, bound: float | None = None) -> Cell:
    """With a bound above the true gap, passing is right and only failing is wrong."""
    truth = max(truths) - min(truths)
    labels = {
        "groups": f"{len(truths)} {groups}",
        "samples each": n,
        "clusters": clusters,
        "bound": f"<= {truth if bound is None else bound:.2f}",
    }
    if bound is not None and bound > truth:
        draw = partial(_gap, truths=truths, n=n, clusters=clusters, bound=bound)
        return Cell(GAP, labels, partial(_only_failing, draw=draw), draw)
    middle = (max(truths) + min(truths)) / 2
    halved = [middle + (value - middle) / 2 for value in truths]
    return Cell(
        GAP,
        labels,
        partial(_gap, truths=truths, n=n, clusters=clusters, bound=truth),
        partial(_gap, truths=halved, n=n, clusters=clusters, bound=truth),
    )


def minimum_cell(groups: str, truths: Sequence[float], n: int, clusters: str = APART) -> Cell:
    bound = min(truths)
    labels = {
        "groups": f"{len(truths)} {groups}",
        "samples each": n,
        "clusters": clusters,
        "bound": f">= {bound:.2f}",
    }
    draw = partial(_minimum, n=n, clusters=clusters, bound=bound)
    better = [min(1.0, truth + 0.1) for truth in truths]
    return Cell(MINIMUM, labels, partial(draw, truths=truths), partial(draw, truths=better))


def equal(groups: int, truth: float) -> list[float]:
    return [truth] * groups


def halves(groups: int, high: float, low: float) -> list[float]:
    return [high if number % 2 else low for number in range(groups)]


def one_low(groups: int, high: float, low: float) -> list[float]:
    return [low, *[high] * (groups - 1)]


def cells() -> Iterator[Cell]:
    for groups in (2, 4, 8, 16):
        for n in (50, 200):
            yield gap_cell("equal", equal(groups, 0.8), n, APART, 0.05)
            yield gap_cell("halves", halves(groups, 0.9, 0.7), n, APART)
    for groups in (4, 16):
        yield gap_cell("one low", one_low(groups, 0.95, 0.8), 100, APART)
    for clusters in (OWN, SAME, OPPOSITE):
        for groups in (2, 8):
            for n in (50, 150):
                yield gap_cell("halves", halves(groups, 0.9, 0.7), n, clusters)
                yield gap_cell("equal", equal(groups, 0.8), n, clusters, 0.05)
    for groups in (2, 10, 20):
        for n in (50, 200):
            yield minimum_cell("equal", equal(groups, 0.7), n)
            yield minimum_cell("one low", one_low(groups, 0.9, 0.7), n)
    for groups in (2, 10):
        for n in (50, 150):
            yield minimum_cell("equal", equal(groups, 0.8), n, SAME)
            yield minimum_cell("one low", one_low(groups, 0.95, 0.8), n, OWN)


def _gap(rng: np.random.Generator, truths: Sequence[float], n: int, clusters: str, bound: float) -> Outcome:
    ratios = _ratios(rng, truths, n, clusters)
    gap = LargestGap(tuple(ratio.share for ratio in ratios), correlations(ratios))
    outcome = gated(gap, "<=", bound)
    low, high = gap.interval(0.95)
    return outcome._replace(covered=low <= max(truths) - min(truths) <= high)


def _only_failing(rng: np.random.Generator, draw: partial[Outcome]) -> Outcome:
    return draw(rng)._replace(passed=False)


def _minimum(
    rng: np.random.Generator, truths: Sequence[float], n: int, clusters: str, bound: float
) -> Outcome:
    return gated(Lowest(tuple(ratio.share for ratio in _ratios(rng, truths, n, clusters))), ">=", bound)


def _ratios(rng: np.random.Generator, truths: Sequence[float], n: int, clusters: str) -> list[Ratio]:
    groups = len(truths)
    if clusters == APART:
        right = rng.binomial(n, truths).astype(float)
        return [_in_block(number, groups, hits, n) for number, hits in enumerate(right)]
    count = n // _SIZE
    ability = rng.random(count)
    ratios = []
    for number, truth in enumerate(truths):
        if clusters == OWN:
            chance = chances(rng, truth, _CORRELATION, count)
        else:
            rank = 1 - ability if clusters == OPPOSITE and number % 2 else ability
            chance = _chance_at(rank, truth)
        ratios.append(Ratio(rng.binomial(_SIZE, chance).astype(float), np.full(count, float(_SIZE))))
    return ratios


def _chance_at(rank: np.ndarray, truth: float) -> np.ndarray:
    """The chances of clusters by their rank among all; `truth` on average."""
    from scipy.special import betaincinv

    scale = (1 - _CORRELATION) / _CORRELATION
    return betaincinv(truth * scale, (1 - truth) * scale, rank)


def _in_block(number: int, groups: int, hits: float, n: int) -> Ratio:
    """n independent samples of one of several groups, each of which is a cluster of its own."""
    right, inside = np.zeros(groups * n), np.zeros(groups * n)
    inside[number * n : (number + 1) * n] = 1
    right[number * n : number * n + int(hits)] = 1
    return Ratio(right, inside)
