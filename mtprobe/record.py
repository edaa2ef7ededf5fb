"""The run record: everything that happened, as JSON Lines. Every comparison and report is drawn from it.

A record is a `run` line, then for each suite and model a `suite` line, its `sample` lines and its
`gate` lines, and an `end` line. A reader takes any record of its own major version and passes over
lines and fields that it does not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TextIO

from mtprobe.audit.outcome import Audit, Offset
from mtprobe.errors import MtprobeError, Place
from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.metrics.measure import Measure
from mtprobe.salience.outcome import SuiteSalience, read_salience
from mtprobe.suite.sample import Scalar

VERSION = "1.3"

# Legal in JSON, but to some readers the end of a line.
_OTHER_LINE_ENDS = re.compile("[\x85\u2028\u2029]")


class RecordError(MtprobeError):
    """A file that is not a whole record."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a report says of a model or an evaluator. Never its spec: a command may hold what is nobody's business."""

    name: str
    fingerprint: str
    decoding: str = ""
    dtype: str = ""
    provider: str = ""  # what ran it, if anything had to be run


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
class Run:
    """A run as a report needs it."""

    facts: RunFacts
    suites: tuple[SuiteRun, ...]

    @property
    def partial(self) -> bool:
        return any(suite.partial for suite in self.suites)

    @property
    def passed(self) -> bool:
        """Whether gates were judged and none of them failed; an expected failure is none."""
        gates = [gate for suite in self.suites for gate in suite.gates]
        return bool(gates) and all(gate.decision is Decision.PASSED or gate.xfail for gate in gates)

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


def write_suite(stream: TextIO, suite: SuiteRun) -> None:
    """A suite's lines."""
    head = {
        item.name: getattr(suite, item.name)
        for item in fields(suite)
        if item.name not in ("results", "gates")
    }
    head["model"] = asdict(suite.model)
    head["evaluator"] = asdict(suite.evaluator) if suite.evaluator else None
    head["salience"] = asdict(suite.salience) if suite.salience else None
    head["audit"] = {**asdict(suite.audit), "verdict": suite.audit.fitness.value} if suite.audit else None
    _write(stream, "suite", head)
    for result in suite.results:
        _write(stream, "sample", asdict(result))
    for gate in suite.gates:
        _write(stream, "gate", asdict(gate))


def write_run(path: Path, run: Run) -> None:
    """The whole record; it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("w", encoding="utf-8") as stream:
        _write(stream, "run", asdict(run.facts))
        for suite in run.suites:
            write_suite(stream, suite)
        _write(stream, "end", {})
    unfinished.replace(path)


def read_run(path: Path) -> Run:
    """Reads a whole record."""
    facts: RunFacts | None = None
    ended = False

    def watched() -> Iterator[tuple[str, dict[str, Any]]]:
        nonlocal facts, ended
        for line, kind, value in _lines(path):
            if kind == "run":
                facts = _run_facts(value, path)
            elif facts is None:
                raise RecordError(f"{Place(path, line)}: not the first line of a run record")
            ended = kind == "end"
            yield kind, value

    suites = tuple(_suites(watched()))
    if facts is None or not ended:
        raise RecordError(f"{path}: the record is not whole")
    return Run(facts, suites)


def read_part(path: Path) -> tuple[SuiteRun, ...]:
    """The suites that one worker wrote."""
    return tuple(_suites((kind, value) for _, kind, value in _lines(path)))


def _run_facts(value: Mapping[str, Any], path: Path) -> RunFacts:
    version = str(value.get("record", ""))
    if version.split(".")[0] != VERSION.split(".")[0]:
        raise RecordError(f"{path}: a record of version {version or '?'}; this mtprobe reads {VERSION}")
    made: RunFacts = _make(RunFacts, value)
    return made


def _suites(lines: Iterable[tuple[str, dict[str, Any]]]) -> Iterator[SuiteRun]:
    head: Mapping[str, Any] | None = None
    results: list[Result] = []
    gates: list[GateResult] = []
    for kind, value in lines:
        if kind == "suite":
            if head is not None:
                yield _suite(head, results, gates)
            head, results, gates = value, [], []
        elif kind == "sample":
            results.append(_sample(value))
        elif kind == "gate":
            gates.append(_gate(value))
    if head is not None:
        yield _suite(head, results, gates)


def _write(stream: TextIO, kind: str, value: Mapping[str, Any]) -> None:
    line = json.dumps({"kind": kind, **value}, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    stream.write(_OTHER_LINE_ENDS.sub(lambda found: f"\\u{ord(found.group()):04x}", line) + "\n")


def _lines(path: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, start=1):
                try:
                    value = json.loads(line)
                    yield number, value.pop("kind"), value
                except (ValueError, KeyError, AttributeError, TypeError):
                    raise RecordError(f"{Place(path, number)}: not a line of a run record") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from None


def _make(kind: type[Any], value: Mapping[str, Any]) -> Any:
    """A dataclass from the fields that it knows."""
    known = {item.name for item in fields(kind)}
    return kind(**{name: part for name, part in value.items() if name in known})


def _suite(head: Mapping[str, Any], results: list[Result], gates: list[GateResult]) -> SuiteRun:
    evaluator, audit, salience = (head.get(name) for name in ("evaluator", "audit", "salience"))
    made: SuiteRun = _make(
        SuiteRun,
        {
            **head,
            "categories": tuple(head["categories"]),
            "variants": {name: tuple(values) for name, values in head.get("variants", {}).items()},
            "notes": tuple(head.get("notes", ())),
            "model": _make(ModelFacts, head["model"]),
            "evaluator": _make(ModelFacts, evaluator) if evaluator else None,
            "audit": _audit(audit) if audit else None,
            "salience": read_salience(salience) if salience else None,
            "results": tuple(results),
            "gates": tuple(gates),
        },
    )
    return made


def _audit(value: Mapping[str, Any]) -> Audit:
    measures = {name: _make(Measure, value[name]) for name in ("accuracy", "auc", "calibrated")}
    offsets = tuple(Offset(one["reading"], _make(Measure, one["measure"])) for one in value["offsets"])
    made: Audit = _make(Audit, {**value, **measures, "offsets": offsets})
    return made


def _sample(value: Mapping[str, Any]) -> Result:
    verdict = dict(value["verdict"])
    verdict["outcome"] = Outcome(verdict["outcome"])
    verdict["evidence"] = tuple(_make(Evidence, one) for one in verdict["evidence"])
    focus = value.get("focus")
    made: Result = _make(
        Result,
        {
            **value,
            "verdict": _make(Verdict, verdict),
            "focus": tuple(focus) if focus else None,
            "choices": tuple(value.get("choices", ())),
        },
    )
    return made


def _gate(value: Mapping[str, Any]) -> GateResult:
    made: GateResult = _make(
        GateResult,
        {**value, "measure": _make(Measure, value["measure"]), "decision": Decision(value["decision"])},
    )
    return made
