"""A run: everything that comparisons and reports are made from. These dataclasses are the record's format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.backends.model import ModelFacts
from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.audit_pairs.outcome import Audit, Fitness
from mtprobe.methods.conditioning.noise import NoiseFloor
from mtprobe.methods.salience.outcome import SuiteSalience
from mtprobe.methods.verdict import Result
from mtprobe.suite.sample import Scalar
from mtprobe.system.spreadsheets import spreadsheet_cell

VERSION = "1.8"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is true of the whole run."""

    version: str  # of mtprobe
    created: str  # ISO 8601, UTC
    record: str = VERSION  # of the record format


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One suite, run on one model and judged by one method."""

    suite: str  # its name
    about: str  # its question
    path: str  # of its file
    digest: str  # of its content
    method: str  # that judged it
    categories: tuple[str, ...]  # in the suite's order
    source: str  # language tag
    target: str  # language tag
    model: ModelFacts  # the model under test
    evaluator: ModelFacts | None  # the model that provided scores, if it is another one
    judges_itself: bool  # no evaluator was given: the model scored its own translations
    partial: bool  # only some of the samples were used
    seed: int  # of resampling
    results: tuple[Result, ...] = field(default=(), repr=False)  # `sample` lines
    gates: tuple[GateResult, ...] = ()  # `gate` lines
    variants: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)  # values per target attribute
    notes: tuple[str, ...] = ()  # what was skipped, and why
    labelled_by: tuple[str, ...] = ()  # who labelled translations of this run
    audit: Audit | None = None  # of the evaluator, if the suite has audit pairs for the language
    details: str = ""  # what else verdicts depend on: a lemmatizer and its version
    procedure: str = ""  # how verdicts were reached: methods with their versions; empty before 1.8
    salience: SuiteSalience | None = None  # of source words for given targets, if requested
    noise: tuple[NoiseFloor, ...] = ()  # the margins that verdicts needed, one per kind of cue
    in_place: InPlaceAudit | None = None  # of the verdicts, where an evaluator gave them or labels are known


@dataclass(frozen=True, slots=True)
class Interruption:
    """How far a suite had got when its run was stopped."""

    samples: int  # in the suite
    judged: int  # by the first unfinished method
    sentences: int  # distinct ones to translate; 0 if no method needs translations
    translated: int  # of the sentences


@dataclass(frozen=True, slots=True)
class FailedSuite:
    """A suite that was not completed on a model, for example because the model could not be loaded."""

    suite: str  # its name
    path: str  # of its file
    model: str  # its name
    reason: str  # what happened
    interrupted: Interruption | None = None  # if the run was stopped

    def __str__(self) -> str:
        if self.interrupted is not None:
            return f"{self.suite} on {self.model} was {self.reason}"
        return f"{self.suite} could not be run on {self.model}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Gates of a suite on a model that the run should have judged, but did not."""

    suite: str  # its name; empty if it could not be read
    path: str  # of its file, or of a folder that could not be read
    model: str = ""  # its name; empty where the suite could not be read
    gates: tuple[str, ...] = ()  # their keys
    samples: int = 0  # that must be correct by themselves (`expect: each`) and were not judged either
    collected: int = 0  # gates and such samples of the suite; 0: it could not be collected
    reason: str = ""  # why, if that is known

    def __str__(self) -> str:
        where = f"{self.suite or self.path}{f' on {self.model}' if self.model else ''}"
        reason = f": {self.reason}" if self.reason else ""
        if not self.collected:
            return f"{self.path} could not be collected{reason}"
        if len(self.gates) + self.samples == self.collected:
            return f"{where} was not judged{reason}"
        samples = [f"{self.samples:,} of its samples"] if self.samples else []
        return f"{where} was not judged for {', '.join([*self.gates, *samples])}{reason}"


@dataclass(frozen=True, slots=True)
class Run:
    """All suites and models of one run."""

    facts: RunFacts
    suites: tuple[SuiteRun, ...]  # one per suite, model and method
    failed: tuple[FailedSuite, ...] = ()
    whole: bool = True  # every gate that was collected was judged, or the record says why it could not be
    unjudged: tuple[Unjudged, ...] = ()  # what is missing otherwise; older records do not say

    @property
    def partial(self) -> bool:
        return any(suite.partial for suite in self.suites)

    @property
    def passed(self) -> bool:
        """Whether the run was completed, gates were judged and none failed unexpectedly."""
        gates = [gate for suite in self.suites for gate in suite.gates]
        fine = all(gate.decision is Decision.PASSED or gate.xfail for gate in gates)
        return self.whole and not self.failed and bool(gates) and fine

    @property
    def missing(self) -> tuple[str, ...]:
        """Messages about what is missing from the run."""
        stopped = "the run was stopped before its end: suites may be missing"
        incomplete = "not every gate that was collected was judged" if self.unjudged else stopped
        return (*([] if self.whole else [incomplete]), *map(str, self.failed), *map(str, self.unjudged))

    def to_rows(self) -> list[dict[str, Any]]:
        """One flat row per sample, for a table or a data frame."""
        return [row for suite in self.suites for row in _rows(suite)]

    def to_csv(self, path: Path, *, raw: bool = False) -> None:
        """The rows as CSV; attributes are columns.

        A text that a spreadsheet would compute gets an apostrophe in front, unless it shall be `raw`.
        """
        import csv

        rows = self.to_rows()
        columns = list(dict.fromkeys(name for row in rows for name in row))
        cell: Callable[[Any], Any] = (lambda value: value) if raw else spreadsheet_cell
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow([cell(name) for name in columns])
            writer.writerows([cell(row.get(name, "")) for name in columns] for row in rows)


def _rows(suite: SuiteRun) -> Iterator[dict[str, Any]]:
    labelled = any(result.label or result.drawn for result in suite.results)
    combined = any(result.verdict.opinions for result in suite.results)
    focused = any(result.verdict.compared for result in suite.results)
    in_context = any(result.context for result in suite.results)
    audited = suite.in_place.audited if suite.in_place else None
    for result in suite.results:
        yield {
            "model": suite.model.name,
            "suite": suite.suite,
            "method": suite.method,
            "id": result.id,
            "category": result.category,
            **({"context": " ".join(result.context)} if in_context else {}),
            "source": result.source,
            "translation": result.translation,
            "outcome": result.verdict.outcome.value,
            **({"decided_by": result.verdict.by} if combined else {}),
            "choice": result.verdict.choice,
            "probability": result.verdict.probability,
            "margin": result.verdict.margin,
            "reason": result.verdict.reason,
            **({"fitness": _fitness(audited, result.category)} if audited is not None else {}),
            **({"label": result.label, "drawn": result.drawn} if labelled else {}),
            **({"compared": result.compared} if focused else {}),
            "file": result.path,
            "line": result.line,
            **{f"attribute.{name}": value for name, value in result.attributes.items()},
        }


def _fitness(audited: Mapping[str | None, Fitness], category: str | None) -> str:
    """Of the verdicts on a category."""
    return audited[category].value if category in audited else "not audited"


def merged(runs: Mapping[Path, Run]) -> Run:
    """All suites of all runs. A model with the same suite in several runs gets the record's name after its own."""
    if len(runs) == 1:
        return next(iter(runs.values()))

    def key_of(suite: SuiteRun) -> tuple[str, str, str, str]:
        return suite.suite, suite.method, suite.target, suite.model.name

    counts = Counter(key for run in runs.values() for key in set(map(key_of, run.suites)))
    repeated = {model for (_, _, _, model), count in counts.items() if count > 1}

    def named(suite: SuiteRun, path: Path) -> SuiteRun:
        if suite.model.name not in repeated:
            return suite
        return replace(suite, model=replace(suite.model, name=f"{suite.model.name} ({path.name})"))

    latest = max(runs.values(), key=lambda run: run.facts.created)
    return Run(
        latest.facts,
        tuple(named(suite, path) for path, run in runs.items() for suite in run.suites),
        tuple(failed for run in runs.values() for failed in run.failed),
        all(run.whole for run in runs.values()),
        tuple(missing for run in runs.values() for missing in run.unjudged),
    )
