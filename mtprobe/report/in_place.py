"""The presentation of audits in place: a line per category, and warnings at the top of every report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mtprobe.audit.wording import NOT_AUDITED, counterfactual_line, fitness_line, unaudited_reasons
from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.records import Run, SuiteRun


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line about the verdicts of a suite."""

    text: str
    fitness: Fitness | None = None  # None: a finding


@dataclass(frozen=True, slots=True)
class AuditAlarm:
    """A reason not to believe a suite's verdicts, for the top of a report."""

    kind: Literal["unfit", "doubtful", "unaudited"]
    suite: SuiteRun
    text: str

    @property
    def title(self) -> str:
        return _TITLES[self.kind]


_TITLES = {
    "unfit": "Unfit verdicts",
    "doubtful": "Doubtful verdicts",
    "unaudited": "Not audited",
}  # the worst first


def audit_lines(suite: SuiteRun) -> Iterator[AuditLine]:
    """The comparisons by category, then signs in the verdicts themselves."""
    if suite.in_place is None:
        return
    for row in suite.in_place.deciding():
        yield AuditLine(fitness_line(row), row.fitness)
    for row in suite.in_place.by_witness_alone:
        yield AuditLine(fitness_line(row))
    for pairs in suite.in_place.counterfactuals:
        yield AuditLine(counterfactual_line(pairs))
    for finding in suite.in_place.serious:
        yield AuditLine(finding.text)
    for problem in suite.in_place.missing:
        yield AuditLine(problem)


def alarms(run: Run) -> tuple[AuditAlarm, ...]:
    """The alarms of all suites; known errors first."""
    found = [alarm for suite in run.suites for alarm in _alarms(suite)]
    return tuple(sorted(found, key=lambda alarm: list(_TITLES).index(alarm.kind)))


def _alarms(suite: SuiteRun) -> Iterator[AuditAlarm]:
    audit = suite.in_place
    if audit is None:
        return
    for row in audit.unfit:
        yield AuditAlarm("unfit", suite, fitness_line(row))
    unaudited = unaudited_reasons(audit, suite.results)
    if unaudited:
        yield AuditAlarm("unaudited", suite, _not_audited(suite, list(unaudited)))
        for finding in audit.serious:
            yield AuditAlarm("doubtful", suite, finding.text)


def _not_audited(suite: SuiteRun, categories: Sequence[str | None]) -> str:
    """All categories, or those that it is true of."""
    names = [category for category in categories if category is not None]
    some = suite.in_place is not None and suite.in_place.audited
    return f"{', '.join(names)}: {NOT_AUDITED}" if some and names else NOT_AUDITED
