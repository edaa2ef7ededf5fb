"""Writes run records, as a whole or as the run goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any, TextIO, cast

from mtprobe.methods.verdict import Evidence, Result
from mtprobe.records.run import FailedSuite, Run, RunFacts, SuiteRun
from mtprobe.system.atomic import replacing

# Legal in JSON, but to some readers the end of a line.
_OTHER_LINE_ENDS = re.compile("[\x85\u2028\u2029]")


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
        _write(stream, "sample", _sample(result))
    for gate in suite.gates:
        _write(stream, "gate", asdict(gate))


def _sample(result: Result) -> dict[str, Any]:
    """As `asdict` would have it, without a copy of everything: there may be hundreds of thousands."""
    verdict = _shallow(result.verdict)
    verdict["evidence"] = [_evidence(one) for one in result.verdict.evidence]
    return {**_shallow(result), "verdict": verdict}


def _evidence(one: Evidence) -> dict[str, Any]:
    value = _shallow(one)
    if not one.tokens:  # as nearly everywhere
        del value["tokens"]
    return value


def _shallow(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in _names(cast("Hashable", type(value)))}


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    return tuple(item.name for item in fields(cast("Any", kind)))


def write_failed(stream: TextIO, failed: FailedSuite) -> None:
    """The line of a suite that could not be run."""
    _write(stream, "failed", asdict(failed))


def write_run(path: Path, run: Run) -> None:
    """The whole record; it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as unfinished, unfinished.open("w", encoding="utf-8") as stream:
        _write(stream, "run", asdict(run.facts))
        for suite in run.suites:
            write_suite(stream, suite)
        for failed in run.failed:
            write_failed(stream, failed)
        _write(stream, "end", {"whole": run.whole})


class Recorder:
    """Writes a record as the run goes on, suite by suite, to PATH.unfinished; a run that is killed leaves it there.

    The last run's record stays until this one takes its place. Where nothing can be written, it gives up: the
    run goes on, and `finish` tells.
    """

    def __init__(self, path: Path, facts: RunFacts) -> None:
        self._path = path
        self._unfinished = path.with_name(path.name + ".unfinished")
        self._facts = facts
        self._started = False

    def add(self, done: SuiteRun | FailedSuite) -> None:
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Opened anew each time: another run that writes to the same place must not get our lines.
            with self._unfinished.open("a" if self._started else "w", encoding="utf-8") as stream:
                if not self._started:
                    _write(stream, "run", asdict(self._facts))
                    self._started = True
                if isinstance(done, SuiteRun):
                    write_suite(stream, done)
                else:
                    write_failed(stream, done)

    def finish(self, run: Run) -> None:
        """The record in its place; what was written on the way goes."""
        write_run(self._path, run)
        if self._started:
            self._unfinished.unlink(missing_ok=True)


def _write(stream: TextIO, kind: str, value: Mapping[str, Any]) -> None:
    line = json.dumps({"kind": kind, **value}, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    stream.write(_OTHER_LINE_ENDS.sub(lambda found: f"\\u{ord(found.group()):04x}", line) + "\n")
