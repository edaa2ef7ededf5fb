"""A number with its confidence interval and sample size."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.statistics.estimates import Estimate, OneCluster, Share
from mtprobe.statistics.intervals import UNLIMITED

# Numbers that differ by less are equal: 9/10 − 7/10 is 0.2 on paper, and a little more in binary.
TOLERANCE = 1e-9

ONE_CLUSTER = "all samples belong to one cluster, which says nothing about others"


def at_least(value: float, bound: float) -> bool:
    """Whether a value reaches a bound, on paper."""
    return value >= bound - TOLERANCE


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric's value with its confidence interval."""

    value: float | None  # null if there was nothing to measure
    low: float  # the lower limit of the confidence interval
    high: float  # the upper limit
    n: int  # number of samples that count
    note: str = ""  # for example, which group is the lowest, or which groups have the gap
    # The value with all undecided samples wrong, and with all of them right, where a method withholds verdicts.
    bounds: tuple[float, float] | None = None

    @property
    def has_interval(self) -> bool:
        """False if nothing is known about how far off the value may be."""
        return self.value is not None and self.high < UNLIMITED

    @classmethod
    def nothing(cls, note: str = "") -> Measure:
        return cls(None, 0.0, 1.0, 0, note)


@dataclass(frozen=True, slots=True)
class Estimated:
    """An estimate from n samples, of which intervals at any level follow; no estimate if there was nothing to measure."""

    estimate: Estimate | None
    n: int = 0
    note: str = ""

    @classmethod
    def nothing(cls, note: str = "") -> Estimated:
        return cls(None, 0, note)

    def at(self, level: float) -> Measure:
        """With its interval at a level."""
        if self.estimate is None:
            return Measure.nothing(self.note)
        note = self.note
        decided = getattr(self.estimate, "decided", self.estimate)
        alone = isinstance(decided, Share) and decided.clusters <= 1
        if (alone and self.n > 1) or isinstance(decided, OneCluster):
            note = "; ".join(filter(None, (note, ONE_CLUSTER)))
        bounds = getattr(self.estimate, "bounds", None)
        return Measure(self.estimate.value, *self.estimate.interval(level), self.n, note, bounds)
