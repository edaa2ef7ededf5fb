"""Whether the verdicts on a category can be trusted: compares reported with true accuracy."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.statistics.measure import TOLERANCE, Measure

TOLERATED = 0.05  # of (reported − true) accuracy
ENOUGH = 0.5  # of the decided samples: fewer cannot speak for the rest
LABELS = "labels"  # the source of truth that people wrote


@dataclass(frozen=True, slots=True)
class CategoryFitness:
    """The verdicts on one category, compared with labels or with a method that needs no model."""

    category: str | None  # null for suites without categories
    fitness: Fitness  # the result of the comparison
    source: str  # "labels", or the name of the method used as witness
    reported: Measure  # accuracy according to the verdicts
    truth: Measure  # accuracy according to labels or witness, on the same samples
    bias: Measure  # reported − true
    agreement: Measure  # the share of samples on which both agree
    choice: str = ""  # in an open category: shares of this choice are compared instead of accuracies
    covered: float = 1.0  # the share of decided samples that could be compared
    share: float = 1.0  # for combined methods: the share of verdicts that the witness did not give itself

    @property
    def measured(self) -> bool:
        return self.bias.value is not None and not self.by_witness_alone

    @property
    def by_witness_alone(self) -> bool:
        """Whether the witness gave every verdict itself: there is nothing to compare it with."""
        return self.share == 0

    @property
    def group(self) -> str:
        """The category as a reader would call it."""
        name = self.category or "all"
        return f"{name} → {self.choice}" if self.choice else name


def fitness_of(bias: Measure, covered: float = 1.0) -> Fitness:
    """Unfit if the interval of the bias lies outside ±.05, fit if it lies inside and the comparison covers enough."""
    if bias.value is None:
        return Fitness.UNKNOWN
    if bias.low > TOLERATED + TOLERANCE or bias.high < -TOLERATED - TOLERANCE:
        return Fitness.UNFIT
    inside = bias.low >= -TOLERATED - TOLERANCE and bias.high <= TOLERATED + TOLERANCE
    return Fitness.FIT if inside and covered >= ENOUGH - TOLERANCE else Fitness.UNKNOWN
