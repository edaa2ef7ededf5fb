"""Cells for two runs on the same samples: the loss that regression gates bound, and the tests of `compare`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from mtprobe.statistics.paired import loss_of
from mtprobe.statistics.significance import paired_test

from .cell import GOAL, Cell, Outcome, gated
from .samples import EQUAL, SKEWED, UNEQUAL, Sizes, sizes

INDEPENDENT = "Regression over independent samples"
CLUSTERED = "Regression over samples in clusters"
TESTED = "Differences that `compare` calls certain"
_WHOLE = 1.0  # the correlation of clusters that flip only as a whole
_CERTAIN = 0.05
_ACCURACY = 0.8  # among the samples that do not flip


@dataclass(frozen=True, slots=True)
class Flips:
    """The chances that a sample regresses or is fixed."""

    regressed: float
    fixed: float

    @property
    def loss(self) -> float:
        return self.regressed - self.fixed


# How power is shown: nothing was lost, and a few verdicts flip either way.
_UNCHANGED = Flips(0.005, 0.005)


@dataclass(frozen=True, slots=True)
class Samples:
    """Clusters of samples, and how far flips go together in them; clusters of one are independent samples."""

    sizes: Sizes
    correlation: float = 0.0

    @property
    def clusters(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.sizes)), self.sizes).astype(str)

    def draw(self, rng: np.random.Generator, flips: Flips) -> tuple[np.ndarray, np.ndarray]:
        """Which samples were correct before, and which after."""
        chances = np.repeat(self._chances(rng, flips), self.sizes, axis=0)
        drawn = rng.random(len(chances))
        regressed = drawn < chances[:, 0]
        fixed = ~regressed & (drawn < chances.sum(axis=1))
        same = rng.random(len(chances)) < _ACCURACY
        return (same & ~fixed) | regressed, (same & ~regressed) | fixed

    def _chances(self, rng: np.random.Generator, flips: Flips) -> np.ndarray:
        """Each cluster's own chances to regress and to be fixed."""
        mean = np.array([flips.regressed, flips.fixed, 1 - flips.regressed - flips.fixed])
        count = len(self.sizes)
        if self.correlation == 0:
            return np.tile(mean[:2], (count, 1))
        if self.correlation == _WHOLE:
            return rng.multinomial(1, mean, count)[:, :2]
        scale = (1 - self.correlation) / self.correlation
        weights = rng.standard_gamma(mean * scale, (count, 3))
        return weights[:, :2] / weights.sum(axis=1, keepdims=True)


def gate_cell(section: str, labels: dict[str, object], samples: Samples, flips: Flips) -> Cell:
    run = partial(_gate, samples=samples, bound=flips.loss)
    better = partial(run, flips=_UNCHANGED) if flips.loss > 0 else None
    goal = GOAL if len(samples.sizes) >= 10 else None
    return Cell(section, labels, partial(run, flips=flips), better, goal)


def independent_cell(n: int, flips: Flips) -> Cell:
    labels: dict[str, object] = {"samples": n, "loss": f"{flips.loss:g}", "fixed": flips.fixed}
    return gate_cell(INDEPENDENT, labels, Samples(sizes(n, 1)), flips)


def clustered_cell(clusters: int, size: int, correlation: float, flips: Flips, pattern: str = EQUAL) -> Cell:
    labels = {
        **_described(clusters, size, correlation, pattern),
        "loss": f"{flips.loss:g}",
        "fixed": flips.fixed,
    }
    return gate_cell(CLUSTERED, labels, Samples(sizes(clusters, size, pattern), correlation), flips)


def certainty_cell(clusters: int, size: int, correlation: float, each: float, pattern: str = EQUAL) -> Cell:
    """Flips of both kinds are equally likely: calling the later run better, or worse, is wrong."""
    labels = {**_described(clusters, size, correlation, pattern), "flips": 2 * each}
    run = partial(_certainty, samples=Samples(sizes(clusters, size, pattern), correlation))
    return Cell(
        TESTED,
        labels,
        partial(run, flips=Flips(each, each)),
        partial(run, flips=Flips(each / 2, each / 2 + 0.1)),
        GOAL if clusters >= 10 else None,
    )


def cells() -> Iterator[Cell]:
    for n in (20, 50, 100, 200, 1000):
        for flips in (
            Flips(0.02, 0.0),
            Flips(0.05, 0.0),
            Flips(0.05, 0.03),
            Flips(0.1, 0.05),
            Flips(0.03, 0.03),
        ):
            yield independent_cell(n, flips)
    for clusters in (5, 10, 20, 30, 60, 200):
        for correlation in (0.0, 0.3, _WHOLE):
            for flips in (Flips(0.02, 0.0), Flips(0.05, 0.0), Flips(0.15, 0.05), Flips(0.03, 0.03)):
                yield clustered_cell(clusters, 5, correlation, flips)
    for clusters in (30, 60, 200):
        for pattern in (UNEQUAL, SKEWED):
            yield clustered_cell(clusters, 5, 0.3, Flips(0.05, 0.0), pattern)
            yield clustered_cell(clusters, 5, _WHOLE, Flips(0.15, 0.05), pattern)
        yield clustered_cell(clusters, 20, 0.3, Flips(0.05, 0.0))
        yield clustered_cell(clusters, 50, 0.3, Flips(0.05, 0.0))
        yield clustered_cell(clusters, 50, 0.1, Flips(0.02, 0.0))
    for n in (20, 100, 500):
        yield certainty_cell(n, 1, 0.0, 0.05)
    for clusters in (5, 10, 30, 60):
        for correlation in (0.0, 0.3, _WHOLE):
            yield certainty_cell(clusters, 5, correlation, 0.1)
    for clusters in (10, 30, 60):
        yield certainty_cell(clusters, 20, _WHOLE, 0.1)
        yield certainty_cell(clusters, 5, _WHOLE, 0.1, SKEWED)


def _described(clusters: int, size: int, correlation: float, pattern: str) -> dict[str, object]:
    return {
        "clusters": clusters,
        "samples each": f"{size}{'' if pattern == EQUAL else f' ({pattern})'}",
        "ICC": "1 (whole clusters)" if correlation == _WHOLE else correlation,
    }


def _gate(rng: np.random.Generator, samples: Samples, flips: Flips, bound: float) -> Outcome:
    before, after = samples.draw(rng, flips)
    return gated(loss_of(before, after, samples.clusters), "<=", bound)


def _certainty(rng: np.random.Generator, samples: Samples, flips: Flips) -> Outcome:
    before, after = samples.draw(rng, flips)
    certain = paired_test(before, after, samples.clusters).p < _CERTAIN
    gain = int(after.sum()) - int(before.sum())
    return Outcome(certain and gain > 0, certain and gain < 0)
