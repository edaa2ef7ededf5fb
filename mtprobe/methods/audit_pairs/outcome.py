"""The outcome of an audit with audit pairs, for records and reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mtprobe.statistics.measure import Measure, at_least

FIT_FROM = 0.90  # of the targets, whose reading is known, judged right


class Fitness(StrEnum):
    """Whether verdicts can be trusted."""

    FIT = "fit"
    CALIBRATED = "fit after calibration"  # right once a constant preference for one reading is subtracted
    UNFIT = "unfit"
    UNKNOWN = "unknown"  # not measured, or too few samples to tell


@dataclass(frozen=True, slots=True)
class Offset:
    """A constant preference of the scores for a reading: the midpoint between the known readings."""

    reading: str  # a category; "correct" for samples with their own cues
    measure: Measure  # score(this reading's cues) − score(the other cues), mean token log-probabilities


@dataclass(frozen=True, slots=True)
class Audit:
    """How well an evaluator distinguishes a suite's readings with one cue form."""

    form: str  # the name of the cue form
    target: str  # the target language
    accuracy: Measure  # share of targets judged right by unadjusted scores
    auc: Measure  # how often a target that has the reading scores higher for it than a target that does not
    calibrated: Measure  # the same, after subtracting the offset estimated on the other half of the pairs
    offsets: tuple[Offset, ...]  # one per reading
    taken_off: bool = False  # the suite calibrates: offsets are subtracted before samples are judged
    problem: str = ""  # why it could not be measured

    @property
    def fitness(self) -> Fitness:
        if self.accuracy.value is None:
            return Fitness.UNKNOWN
        if at_least(self.accuracy.value, FIT_FROM):
            return Fitness.FIT
        if self.calibrated.value is not None and at_least(self.calibrated.value, FIT_FROM):
            return Fitness.CALIBRATED
        return Fitness.UNFIT

    @property
    def as_judged(self) -> Measure:
        """The accuracy of the way in which samples are judged."""
        return self.calibrated if self.taken_off else self.accuracy

    @property
    def trusted(self) -> bool:
        """Whether such verdicts can be trusted."""
        value = self.as_judged.value
        return value is not None and at_least(value, FIT_FROM)


def best_of(audits: tuple[Audit, ...]) -> Audit | None:
    """The form to use: fit before fit after calibration, then the most accurate; the first of equals."""
    order = (Fitness.FIT, Fitness.CALIBRATED, Fitness.UNFIT)
    measured = [audit for audit in audits if audit.fitness in order]

    def rank(audit: Audit) -> tuple[int, float, float]:
        best = audit.calibrated if audit.fitness is Fitness.CALIBRATED else audit.accuracy
        return order.index(audit.fitness), -(best.value or 0.0), -(audit.auc.value or 0.0)

    return min(measured, key=rank) if measured else None
