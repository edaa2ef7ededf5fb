"""Reads run records of this major version."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from mtprobe.errors import MtprobeError, Place
from mtprobe.gates.judge import GateResult
from mtprobe.methods.verdict import Result
from mtprobe.records.lines import End, Line, LineError, parse_line
from mtprobe.records.run import VERSION, FailedSuite, Run, RunFacts, SuiteRun, Unjudged, Unselected
from mtprobe.suite.find import is_suite
from mtprobe.system.garbage import without_collecting_garbage
from mtprobe.system.text_files import Limits, TextFileError, raw_lines

_LIMITS = Limits(line=50_000_000)


class RecordError(MtprobeError):
    """A file that is not a complete record."""


def read_run(path: Path | str, *, whole: bool = True, torn: bool | None = None, compact: bool = False) -> Run:
    """Reads a record. The record of an interrupted run is an error unless `whole` is False; a compact record (see `mtprobe bless
    --compact`) is an error unless `compact` is True.

    `torn` accepts a record without its last lines, as left by a killed process; by default, it is the opposite of `whole`.
    """
    path = Path(path)
    if is_suite(path):
        raise RecordError(f"{path}: this is a suite; give the record of a run (`--mt-record` of pytest)")
    torn = not whole if torn is None else torn
    with without_collecting_garbage():
        content = _read(path, torn=torn)
    if content.facts is None or (whole and not content.whole) or (content.end is None and not torn):
        stopped = [suite for suite in content.failed if suite.interrupted]
        missing = "".join(f"; {suite}" for suite in (*stopped, *content.unjudged))
        raise RecordError(
            f"{path}: incomplete record: the run was interrupted, or this is not a record{missing}"
        )
    if content.facts.compact and not compact:
        raise RecordError(
            f"{path}: a compact baseline, which has only what comparisons need (`mtprobe compare`, --mt-baseline); "
            "use the record that it was made from"
        )
    suites, failed = tuple(content.suites), tuple(content.failed)
    return Run(
        content.facts,
        suites,
        failed,
        content.whole,
        tuple(content.unjudged),
        tuple(content.unselected),
        content.end.failed_samples if content.end else 0,
    )


def read_facts(path: Path) -> RunFacts:
    """The first line of a record alone."""
    for number, line in _lines(path):
        _check_first(line, path)
        try:
            facts = parse_line(line)
        except LineError as error:
            raise RecordError(f"{Place(path, number)}: not a line of a run record: {error}") from None
        if isinstance(facts, RunFacts):
            return facts
        break
    raise RecordError(f"{path}: not a run record")


def read_part(path: Path) -> tuple[tuple[SuiteRun, ...], tuple[FailedSuite, ...]]:
    """The suites that one worker wrote, and those that it could not run."""
    content = _read(path, part=True)
    return tuple(content.suites), tuple(content.failed)


@dataclass(slots=True)
class _Content:
    """The content read so far."""

    facts: RunFacts | None = None
    suites: list[SuiteRun] = field(default_factory=list)
    failed: list[FailedSuite] = field(default_factory=list)
    unjudged: list[Unjudged] = field(default_factory=list)
    unselected: list[Unselected] = field(default_factory=list)
    end: End | None = None  # the last line
    results: list[Result] = field(default_factory=list)  # of the last suite, as are the gates
    gates: list[GateResult] = field(default_factory=list)

    def add(self, line: Line | None) -> None:
        self.end = None
        match line:
            case Result():
                self._check_suite("sample")
                self.results.append(line)
            case GateResult():
                self._check_suite("gate")
                self.gates.append(line)
            case SuiteRun():
                self.complete_suite()
                self.suites.append(line)
            case FailedSuite():
                self.failed.append(line)
            case Unjudged():
                self.unjudged.append(line)
            case Unselected():
                self.unselected.append(line)
            case RunFacts():
                self.facts = line
            case End():
                self.end = line

    @property
    def whole(self) -> bool:
        return self.end is not None and self.end.whole and not self.unjudged

    def complete_suite(self) -> None:
        """Gives the last suite its samples and gates."""
        if self.suites:
            self.suites[-1] = replace(self.suites[-1], results=tuple(self.results), gates=tuple(self.gates))
        self.results, self.gates = [], []

    def _check_suite(self, kind: str) -> None:
        if not self.suites:
            raise LineError(f"a {kind} before any suite")


def _read(path: Path, *, torn: bool = False, part: bool = False) -> _Content:
    """`part`: a worker's file, without a `run` line."""
    content = _Content()
    for number, line in _lines(path, torn=torn):
        if number == 1 and not part:
            _check_first(line, path)
        try:
            content.add(parse_line(line))
        except LineError as error:
            raise RecordError(f"{Place(path, number)}: not a line of a run record: {error}") from None
    content.complete_suite()
    return content


def _lines(path: Path, *, torn: bool = False) -> Iterator[tuple[int, bytes]]:
    """`torn`: ignore a last line that was cut off, as a killed process leaves it."""
    try:
        for number, line in raw_lines(path, _LIMITS):
            if torn and not line.endswith(b"\n"):
                return
            yield number, line
    except TextFileError as error:
        raise RecordError(error) from None


def _check_first(line: bytes, path: Path) -> None:
    """Another major version may have other fields, so the version is checked before them."""
    try:
        head = json.loads(line)
        kind, version = head.get("kind"), str(head.get("record", ""))
    except (ValueError, AttributeError, RecursionError):
        return  # parsing the line reports it
    if kind != "run":
        raise RecordError(f"{Place(path, 1)}: not the first line of a run record")
    if version.split(".")[0] != VERSION.split(".")[0]:
        raise RecordError(f"{path}: a record of version {version or '?'}; this mtprobe reads {VERSION}")
