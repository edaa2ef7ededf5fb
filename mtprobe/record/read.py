"""Reads run records of this major version; lines and fields that it does not know are passed over."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, cast

from mtprobe.audit.outcome import Audit, Offset
from mtprobe.errors import MtprobeError, Place
from mtprobe.garbage import without_collecting_garbage
from mtprobe.gates.judge import Decision, GateResult
from mtprobe.gates.regression import Flip, Regression
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.metrics.measure import Measure
from mtprobe.record.run import VERSION, FailedSuite, Interruption, ModelFacts, Run, RunFacts, SuiteRun
from mtprobe.salience.outcome import read_salience


class RecordError(MtprobeError):
    """A file that is not a whole record."""


def read_run(path: Path, *, whole: bool = True) -> Run:
    """Reads a record; unless `whole` is False, one of a run that did not come to its own end is an error."""
    facts: RunFacts | None = None
    failed: list[FailedSuite] = []
    ended = False

    def watched() -> Iterator[tuple[str, dict[str, Any]]]:
        nonlocal facts, ended
        for line, kind, value in _lines(path, torn=not whole):
            if kind == "run":
                facts = _run_facts(value, path)
            elif facts is None:
                raise RecordError(f"{Place(path, line)}: not the first line of a run record")
            elif kind == "failed":
                failed.append(_failed(value))
            ended = kind == "end" and value.get("whole", True)
            yield kind, value

    with without_collecting_garbage():
        suites = tuple(_suites(watched()))
    if facts is None or (whole and not ended):
        told = "".join(f"; {one}" for one in failed if one.interrupted)
        raise RecordError(
            f"{path}: the record is not whole: the run was interrupted, or this is no record{told}"
        )
    return Run(facts, suites, tuple(failed), ended)


def read_part(path: Path) -> tuple[tuple[SuiteRun, ...], tuple[FailedSuite, ...]]:
    """The suites that one worker wrote, and those that it could not run."""
    lines = [(kind, value) for _, kind, value in _lines(path)]
    failed = tuple(_failed(value) for kind, value in lines if kind == "failed")
    return tuple(_suites(lines)), failed


def _failed(value: Mapping[str, Any]) -> FailedSuite:
    found = value.get("interrupted")
    made: FailedSuite = _make(
        FailedSuite, {**value, "interrupted": _make(Interruption, found) if found else None}
    )
    return made


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


def _lines(path: Path, *, torn: bool = False) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """`torn`: the last line may be cut off, as a killed process leaves it."""
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if torn and not line.endswith(b"\n"):
                    return
                try:
                    value = json.loads(line)
                    yield number, value.pop("kind"), value
                except (ValueError, KeyError, AttributeError, TypeError):
                    raise RecordError(f"{Place(path, number)}: not a line of a run record") from None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error}") from None


def _make(kind: type[Any], value: Mapping[str, Any]) -> Any:
    """A dataclass from the fields that it knows."""
    known = _known(cast("Hashable", kind))
    return kind(**{name: part for name, part in value.items() if name in known})


@cache
def _known(kind: Hashable) -> frozenset[str]:
    return frozenset(item.name for item in fields(cast("Any", kind)))


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
    verdict["evidence"] = tuple(
        _make(Evidence, {**one, "tokens": tuple(map(tuple, one.get("tokens", ())))})
        for one in verdict["evidence"]
    )
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
        {
            **value,
            "measure": _make(Measure, value["measure"]),
            "decision": Decision(value["decision"]),
            "regression": _regression(value["regression"]) if value.get("regression") else None,
        },
    )
    return made


def _regression(value: Mapping[str, Any]) -> Regression:
    flips = {name: tuple(_make(Flip, one) for one in value[name]) for name in ("broken", "mended")}
    texts = {name: tuple(value[name]) for name in ("not_compared", "warnings")}
    made: Regression = _make(Regression, {**value, **flips, **texts})
    return made
