"""One situation, and how often a decision is wrong in it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mtprobe.gates import Bound, Decision
from mtprobe.gates.judge import decide
from mtprobe.statistics.estimates import Estimate
from mtprobe.statistics.measure import Measure

LEVEL = 0.95
NOMINAL = 0.025  # of wrong decisions in each direction
GOAL = NOMINAL + 0.005


class Outcome(NamedTuple):
    """What one simulated run led to."""

    passed: bool
    failed: bool
    covered: bool | None = (
        None  # whether the interval contains the truth; None for a test without an interval
    )


Run = Callable[[np.random.Generator], Outcome]


@dataclass(frozen=True, slots=True)
class Cell:
    """A situation in which the truth lies exactly on the bound: passing and failing are both wrong."""

    section: str  # the table that it belongs to
    labels: Mapping[str, object]  # the columns that describe it
    run: Run
    better: Run | None = None  # the same, with the truth on the right side of the bound: passing is right
    goal: float | None = GOAL  # None where clusters or samples are too few to promise anything

    def rates(self, runs: int) -> Rates:
        """The same for the same cell and the same number of runs, whatever other cells there are."""
        outcomes = [self.run(self._rng(number)) for number in range(runs)]
        covered = [outcome.covered for outcome in outcomes if outcome.covered is not None]
        power = None
        if self.better is not None:
            power = float(np.mean([self.better(self._rng(number)).passed for number in range(runs)]))
        return Rates(
            float(np.mean([outcome.passed for outcome in outcomes])),
            float(np.mean([outcome.failed for outcome in outcomes])),
            float(np.mean(covered)) if covered else None,
            power,
        )

    def _rng(self, number: int) -> np.random.Generator:
        name = f"{self.section} {sorted(self.labels.items(), key=str)}"
        return np.random.default_rng([zlib.crc32(name.encode()), number])


class Rates(NamedTuple):
    """Shares of the runs of a cell."""

    passed: float  # wrongly
    failed: float  # wrongly
    covered: float | None
    power: float | None  # passed rightly

    @property
    def worst(self) -> float:
        return max(self.passed, self.failed)


def gated(estimate: Estimate, sign: str, bound: float, level: float = LEVEL) -> Outcome:
    """A gate on an estimate whose truth is the bound."""
    low, high = estimate.interval(level)
    decision = decide(Bound(sign, bound, level), Measure(estimate.value, low, high, 1))
    return Outcome(decision is Decision.PASSED, decision is Decision.FAILED, low <= bound <= high)
