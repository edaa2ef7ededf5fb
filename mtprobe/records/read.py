"""Reads run records of this major version; lines and fields that it does not know are passed over."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from mtprobe.backends.model import ModelFacts
from mtprobe.errors import MtprobeError, Place
from mtprobe.gates.judge import Decision, GateResult
from mtprobe.gates.regression import Flip, Regression
from mtprobe.methods.audit_pairs.outcome import Audit, Offset
from mtprobe.methods.salience.outcome import read_salience
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.records.run import VERSION, FailedSuite, Interruption, Run, RunFacts, SuiteRun
from mtprobe.shapes import Misshapen, made
from mtprobe.statistics.measure import Measure
from mtprobe.system.garbage import without_collecting_garbage

Line: TypeAlias = tuple[int, str, dict[str, Any]]


# What reading a line of another shape ends in.
_DAMAGE = (ValueError, KeyError, AttributeError, TypeError)


class RecordError(MtprobeError):
    """A file that is not a whole record."""


def read_run(path: Path, *, whole: bool = True) -> Run:
    """Reads a record; unless `whole` is False, one of a run that did not come to its own end is an error."""
    facts: RunFacts | None = None
    failed: list[FailedSuite] = []
    ended = False

    def watched() -> Iterator[Line]:
        nonlocal facts, ended
        for line, kind, value in _lines(path, torn=not whole):
            try:
                if kind == "run":
                    facts = _run_facts(value, path)
                elif facts is None:
                    raise RecordError(f"{Place(path, line)}: not the first line of a run record")
                elif kind == "failed":
                    failed.append(_failed(value))
            except _DAMAGE as error:
                raise _damaged(Place(path, line), error) from None
            ended = kind == "end" and value.get("whole", True) is True
            yield line, kind, value

    with without_collecting_garbage():
        suites = tuple(_suites(watched(), path))
    if facts is None or (whole and not ended):
        told = "".join(f"; {one}" for one in failed if one.interrupted)
        raise RecordError(
            f"{path}: the record is not whole: the run was interrupted, or this is no record{told}"
        )
    return Run(facts, suites, tuple(failed), ended)


def read_part(path: Path) -> tuple[tuple[SuiteRun, ...], tuple[FailedSuite, ...]]:
    """The suites that one worker wrote, and those that it could not run."""
    lines = list(_lines(path))
    failed = tuple(_failed(value) for _, kind, value in lines if kind == "failed")
    return tuple(_suites(lines, path)), failed


def _failed(value: Mapping[str, Any]) -> FailedSuite:
    found = value.get("interrupted")
    result: FailedSuite = made(
        FailedSuite, {**value, "interrupted": made(Interruption, found) if found else None}
    )
    return result


def _run_facts(value: Mapping[str, Any], path: Path) -> RunFacts:
    version = str(value.get("record", ""))
    if version.split(".")[0] != VERSION.split(".")[0]:
        raise RecordError(f"{path}: a record of version {version or '?'}; this mtprobe reads {VERSION}")
    result: RunFacts = made(RunFacts, value)
    return result


def _suites(lines: Iterable[Line], path: Path) -> Iterator[SuiteRun]:
    head: SuiteRun | None = None
    results: list[Result] = []
    gates: list[GateResult] = []
    for number, kind, value in lines:
        if kind == "suite" and head is not None:
            yield replace(head, results=tuple(results), gates=tuple(gates))
        try:
            if kind == "suite":
                head, results, gates = _suite(value), [], []
            elif kind in ("sample", "gate") and head is None:
                raise Misshapen(f"a {kind} before any suite")
            elif kind == "sample":
                results.append(_sample(value))
            elif kind == "gate":
                gates.append(_gate(value))
        except _DAMAGE as error:
            raise _damaged(Place(path, number), error) from None
    if head is not None:
        yield replace(head, results=tuple(results), gates=tuple(gates))


def _damaged(place: Place, error: Exception) -> RecordError:
    """What is wrong with a line, as far as the error tells it."""
    told = f": {error}" if isinstance(error, ValueError) else ""
    told = f": {error} is missing" if isinstance(error, KeyError) else told
    return RecordError(f"{place}: not a line of a run record{told}")


def _lines(path: Path, *, torn: bool = False) -> Iterator[Line]:
    """`torn`: the last line may be cut off, as a killed process leaves it."""
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if torn and not line.endswith(b"\n"):
                    return
                try:
                    value = json.loads(line)
                    if b"\\ud" in line or b"\\uD" in line:
                        json.dumps(value, ensure_ascii=False).encode()  # half a character is none
                    kind = value.pop("kind")
                except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
                    raise RecordError(f"{Place(path, number)}: not a line of a run record") from None
                yield number, kind, value
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error}") from None


def _suite(head: Mapping[str, Any]) -> SuiteRun:
    evaluator, audit, salience = (head.get(name) for name in ("evaluator", "audit", "salience"))
    result: SuiteRun = made(
        SuiteRun,
        {
            **head,
            "categories": tuple(head["categories"]),
            "variants": {name: tuple(values) for name, values in head.get("variants", {}).items()},
            "notes": tuple(head.get("notes", ())),
            "model": made(ModelFacts, head["model"]),
            "evaluator": made(ModelFacts, evaluator) if evaluator else None,
            "audit": _audit(audit) if audit else None,
            "salience": read_salience(salience) if salience else None,
            "results": (),
            "gates": (),
        },
    )
    return result


def _audit(value: Mapping[str, Any]) -> Audit:
    measures = {name: made(Measure, value[name]) for name in ("accuracy", "auc", "calibrated")}
    offsets = tuple(Offset(one["reading"], made(Measure, one["measure"])) for one in value["offsets"])
    result: Audit = made(Audit, {**value, **measures, "offsets": offsets})
    return result


def _sample(value: Mapping[str, Any]) -> Result:
    verdict = {**value["verdict"]}
    verdict["outcome"] = Outcome(verdict["outcome"])
    verdict["evidence"] = tuple(
        made(Evidence, {**one, "tokens": tuple(map(tuple, one.get("tokens", ())))})
        for one in verdict["evidence"]
    )
    focus = value.get("focus")
    result: Result = made(
        Result,
        {
            **value,
            "verdict": made(Verdict, verdict),
            "focus": tuple(focus) if focus else None,
            "choices": tuple(value.get("choices", ())),
        },
    )
    return result


def _gate(value: Mapping[str, Any]) -> GateResult:
    result: GateResult = made(
        GateResult,
        {
            **value,
            "measure": made(Measure, value["measure"]),
            "decision": Decision(value["decision"]),
            "regression": _regression(value["regression"]) if value.get("regression") else None,
        },
    )
    return result


def _regression(value: Mapping[str, Any]) -> Regression:
    flips = {name: tuple(made(Flip, one) for one in value[name]) for name in ("broken", "mended")}
    texts = {name: tuple(value[name]) for name in ("not_compared", "warnings")}
    result: Regression = made(Regression, {**value, **flips, **texts})
    return result
