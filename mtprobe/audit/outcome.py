"""The outcome of an audit in place: all that gates, records and reports say about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mtprobe.audit.fitness import CategoryFitness
from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.statistics.measure import Measure


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the verdicts show about themselves, without labels or witnesses."""

    name: str  # "narrow margins", "same words", "twins" …
    text: str  # for readers
    measure: Measure  # the share of samples, or of groups of them, that it is about
    serious: bool = False  # so frequent that the verdicts should not be believed without an audit
    samples: tuple[str, ...] = ()  # ids of a few examples


@dataclass(frozen=True, slots=True)
class Counterfactuals:
    """How often the evaluator recognizes a translation's reading, and the other one where it was exchanged in place."""

    category: str | None  # null: all samples
    both: Measure  # the share of pairs in which it recognizes both
    own: Measure  # … the reading of the model's own translation
    other: Measure  # … the reading of the counterfactual
    asked: int  # samples for which a counterfactual was wanted; `both.n` have one

    @property
    def coverage(self) -> float:
        return self.both.n / self.asked if self.asked else 0.0


@dataclass(frozen=True, slots=True)
class InPlaceAudit:
    """How the verdicts of one method on one suite compare with what is known about the same translations."""

    fitness: tuple[CategoryFitness, ...] = ()  # by category; what counts most first: labels, then witnesses
    findings: tuple[Finding, ...] = ()  # what the verdicts show about themselves
    missing: tuple[str, ...] = ()  # why labels or a witness could not be used
    counterfactuals: tuple[Counterfactuals, ...] = ()  # by category; empty where none could be made

    def deciding(self) -> Iterator[CategoryFitness]:
        """One comparison per category: the first that says fit or unfit, otherwise the first that could be made."""
        groups: dict[tuple[str | None, str], list[CategoryFitness]] = {}
        for row in self.fitness:
            if row.measured:
                groups.setdefault((row.category, row.choice), []).append(row)
        for rows in groups.values():
            yield next((row for row in rows if row.fitness is not Fitness.UNKNOWN), rows[0])

    @property
    def by_witness_alone(self) -> tuple[CategoryFitness, ...]:
        """Categories whose verdicts were all given by the witness, and that nothing else was compared with."""
        return tuple(row for row in self.fitness if row.by_witness_alone and row.category not in self.audited)

    @property
    def unfit(self) -> tuple[CategoryFitness, ...]:
        """The comparisons that say that the verdicts on their category are wrong."""
        return tuple(row for row in self.deciding() if row.fitness is Fitness.UNFIT)

    @property
    def audited(self) -> Mapping[str | None, Fitness]:
        """The categories with a comparison, and the worst fitness that one of them found."""
        found: dict[str | None, Fitness] = {}
        for row in self.deciding():
            found[row.category] = max(row.fitness, found.get(row.category, row.fitness), key=_BADNESS.index)
        return found

    @property
    def fit(self) -> bool:
        """Every category that was compared is fit, and there is one."""
        return bool(self.audited) and all(fitness is Fitness.FIT for fitness in self.audited.values())

    @property
    def serious(self) -> tuple[Finding, ...]:
        """Findings that matter: where the verdicts are known to be fit, none does."""
        return () if self.fit else tuple(finding for finding in self.findings if finding.serious)


_BADNESS = (Fitness.FIT, Fitness.CALIBRATED, Fitness.UNKNOWN, Fitness.UNFIT)
