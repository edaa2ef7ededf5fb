"""The outcome of an audit in place, for gates, records and reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mtprobe.audit.fitness import CategoryFitness
from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.statistics.measure import Measure


@dataclass(frozen=True, slots=True)
class Finding:
    """A sign of trouble in the verdicts themselves, found without labels or witnesses."""

    name: str  # "narrow margins", "same words", "twins" …
    text: str  # an explanation for readers
    measure: Measure  # the share of samples, or of groups of samples, that are affected
    serious: bool = False  # too frequent to trust the verdicts without an audit
    samples: tuple[str, ...] = ()  # example ids


@dataclass(frozen=True, slots=True)
class Counterfactuals:
    """How often the evaluator recognizes the reading of a translation and the opposite reading of its counterfactual."""

    category: str | None  # null: all samples
    both: Measure  # the share of pairs in which both readings are recognized
    own: Measure  # … in which the reading of the model's own translation is recognized
    other: Measure  # … in which the reading of the counterfactual is recognized
    asked: int  # samples for which a counterfactual was requested; `both.n` have one

    @property
    def coverage(self) -> float:
        return self.both.n / self.asked if self.asked else 0.0


@dataclass(frozen=True, slots=True)
class InPlaceAudit:
    """The audit of one method's verdicts on one suite, by comparison with what is known about the same translations."""

    fitness: tuple[CategoryFitness, ...] = ()  # by category; the most important first: labels, then witnesses
    findings: tuple[Finding, ...] = ()  # signs in the verdicts themselves
    missing: tuple[str, ...] = ()  # why labels or a witness could not be used
    counterfactuals: tuple[Counterfactuals, ...] = ()  # by category; empty if none could be made

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
