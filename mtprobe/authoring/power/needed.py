"""How many samples it takes to catch errors at a given rate: simulates suites of other sizes from the existing clusters.

A larger suite has clusters drawn with replacement, a smaller one some of them. Sizes are doubled or halved, so the
answer is rough: it says whether some more samples would do, or many more, or none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtprobe.authoring.power.outcome import CAUGHT, Needed
from mtprobe.authoring.power.simulate import Simulation
from mtprobe.gates import Decision, Gate
from mtprobe.metrics import Tally
from mtprobe.metrics.tally import drawn, mixed

_LARGER, _SMALLER = (2.0, 4.0, 8.0), (0.5, 0.25, 0.125)  # times the number of clusters
_MOST_ROWS = 10_000  # of a resampled suite
_UNAIDED = 0.2  # a gate that does not pass this often without errors catches nothing by not passing

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _Shares:
    """The shares of runs at one size in which the gate does not pass, without and with errors."""

    unaided: float
    caught: float

    @property
    def enough(self) -> bool:
        return self.caught >= CAUGHT and self.unaided <= _UNAIDED


class Resampler:
    """Suites of other sizes, for one gate: only the samples that it covers."""

    def __init__(self, simulation: Simulation, gate: Gate) -> None:
        self._simulation, self._gate = simulation, gate
        covered = np.flatnonzero(gate.selector.mask(simulation.before))
        clusters = simulation.before.clusters[covered]
        self._members: list[Places] = [covered[clusters == cluster] for cluster in np.unique(clusters)]
        self._size = len(covered)

    def needed(self, rate: float, runs: int) -> Needed:
        """The smallest size that was tried and is enough."""
        n = self._simulation.bench.results([self._gate], self._simulation.before)[0].measure.n
        best: float | None = None
        tried, last = 1.0, self._shares(1.0, rate, runs)
        if last.enough:
            best = 1.0
            for size in _SMALLER:
                if not self._shares(size, rate, runs).enough:
                    break
                best = size
        else:
            for size in (size for size in _LARGER if size * self._size <= _MOST_ROWS):
                tried, last = size, self._shares(size, rate, runs)
                if last.enough:
                    best = size
                    break
        hopeless = best is None and last.caught < 1 - CAUGHT
        return Needed(rate, None if best is None else round(best * n), round(tried * n), hopeless)

    def _shares(self, size: float, rate: float, runs: int) -> _Shares:
        simulation = self._simulation
        rng = np.random.default_rng([simulation.seed, round(size * 1000)])
        unaided = caught = 0
        for _ in range(runs):
            places, clusters = self._draw(size, rng)
            before = drawn(simulation.before, places, clusters)
            after = drawn(simulation.after, places, clusters)
            units = np.arange(len(places)) if simulation.scattered else clusters
            corrupted = (rng.random(len(places)) < rate)[units]
            unaided += self._notices(before)
            caught += self._notices(mixed(before, after, corrupted))
        return _Shares(unaided / runs, caught / runs)

    def _notices(self, counts: Tally) -> bool:
        decision = self._simulation.bench.decisions([self._gate], counts)[0]
        return decision is not Decision.PASSED

    def _draw(self, size: float, rng: np.random.Generator) -> tuple[Places, Places]:
        """Places of samples and the numbers of their clusters; a cluster that is drawn again is another one."""
        clusters = len(self._members)
        wanted = max(1, round(size * clusters))
        numbers = np.arange(clusters) if size == 1 else rng.choice(clusters, wanted, replace=size > 1)
        members = [self._members[number] for number in numbers.tolist()]
        return np.concatenate(members), np.repeat(np.arange(len(members)), [len(group) for group in members])
