"""What a run is: all that gates, comparisons and reports are drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mtprobe.backends.model import ModelFacts
from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.audit_pairs.outcome import Audit
from mtprobe.methods.salience.outcome import SuiteSalience
from mtprobe.methods.verdict import Result
from mtprobe.suite.sample import Scalar

VERSION = "1.6"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What holds for the whole run."""

    version: str  # of mtprobe
    created: str  # ISO, UTC
    record: str = VERSION


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One suite asked of one model."""

    suite: str
    about: str
    path: str
    digest: str
    method: str
    categories: tuple[str, ...]
    source: str
    target: str
    model: ModelFacts
    evaluator: ModelFacts | None
    judges_itself: bool  # no evaluator was given: the model scored its own translations
    partial: bool  # only some of the samples were taken
    seed: int
    results: tuple[Result, ...] = field(repr=False)
    gates: tuple[GateResult, ...] = ()
    variants: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)  # of targets, in order
    notes: tuple[str, ...] = ()  # what was left out, and why
    audit: Audit | None = None  # of the evaluator, where the suite has audit pairs for the language
    details: str = ""  # what else the method's verdicts depend on: a lemmatizer and its version
    salience: SuiteSalience | None = None  # of the source words for given targets, where it was asked for


@dataclass(frozen=True, slots=True)
class Interruption:
    """How far a suite had come when its run was stopped."""

    samples: int
    judged: int  # by the first method that was not done
    sentences: int  # that differ, and were to be translated; 0 where nothing needs their translations
    translated: int


@dataclass(frozen=True, slots=True)
class FailedSuite:
    """A suite that was not run to its end on a model, as when the model could not be loaded."""

    suite: str
    path: str
    model: str
    reason: str
    interrupted: Interruption | None = None

    def __str__(self) -> str:
        if self.interrupted is not None:
            return f"{self.suite} on {self.model} was {self.reason}"
        return f"{self.suite} could not be run on {self.model}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Run:
    """A run as a report needs it."""

    facts: RunFacts
    suites: tuple[SuiteRun, ...]
    failed: tuple[FailedSuite, ...] = ()
    whole: bool = True  # it came to its own end; otherwise suites may be missing

    @property
    def partial(self) -> bool:
        return any(suite.partial for suite in self.suites)

    @property
    def passed(self) -> bool:
        """Whether the run came to its end, gates were judged and none of them failed; an expected failure is none."""
        gates = [gate for suite in self.suites for gate in suite.gates]
        fine = all(gate.decision is Decision.PASSED or gate.xfail for gate in gates)
        return self.whole and not self.failed and bool(gates) and fine

    @property
    def missing(self) -> tuple[str, ...]:
        """What is to be told of a run of which something is missing."""
        stopped = "the run was stopped before its end: suites may be missing"
        return (*([] if self.whole else [stopped]), *map(str, self.failed))

    def to_rows(self) -> list[dict[str, Any]]:
        """A flat row a sample, for a table or a data frame."""
        return [row for suite in self.suites for row in _rows(suite)]

    def to_csv(self, path: Path) -> None:
        """The rows as CSV; attributes are columns."""
        import csv

        rows = self.to_rows()
        columns = list(dict.fromkeys(name for row in rows for name in row))
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns, restval="")
            writer.writeheader()
            writer.writerows(rows)


def _rows(suite: SuiteRun) -> Iterator[dict[str, Any]]:
    for result in suite.results:
        yield {
            "model": suite.model.name,
            "suite": suite.suite,
            "method": suite.method,
            "id": result.id,
            "category": result.category,
            "source": result.source,
            "translation": result.translation,
            "outcome": result.verdict.outcome.value,
            "choice": result.verdict.choice,
            "probability": result.verdict.probability,
            "margin": result.verdict.margin,
            "reason": result.verdict.reason,
            "file": result.path,
            "line": result.line,
            **{f"attribute.{name}": value for name, value in result.attributes.items()},
        }
