"""Writes run records, at once or incrementally."""

from __future__ import annotations

import gzip
import json
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO, cast

from mtprobe.backends.model import ModelFacts
from mtprobe.gates.judge import GateResult
from mtprobe.methods.audit_pairs.outcome import Audit
from mtprobe.methods.question.repeats import repeats_in, sample_agreement, unstable
from mtprobe.methods.verdict import Evidence, Result, Verdict, first_repeat
from mtprobe.metrics.repeats import Repeats, repeats_of
from mtprobe.records.lines import End, Line, keys_of
from mtprobe.records.run import FailedSuite, Run, RunFacts, SuiteRun, Unjudged
from mtprobe.system.atomic import replacing

_OTHER_LINE_ENDS = ("\x85", "\u2028", "\u2029")  # legal in JSON, but to some readers the end of a line


def write_suite(stream: TextIO, suite: SuiteRun) -> None:
    """A suite's lines."""
    _write(stream, "suite", suite)
    for result in suite.results:
        _write(stream, "sample", result)
    for gate in suite.gates:
        _write(stream, "gate", gate)


def write_failed(stream: TextIO, failed: FailedSuite) -> None:
    """The line of a suite that could not be run."""
    _write(stream, "failed", failed)


def write_run(path: Path, run: Run) -> None:
    """Writes a complete record: PATH is replaced only when everything is written. A compact one is packed with
    gzip, and so is one whose name ends with .gz.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = run.facts.compact or path.suffix == ".gz"
    with replacing(path) as unfinished, _opened(unfinished, packed=packed) as stream:
        _write(stream, "run", run.facts)
        for suite in run.suites:
            write_suite(stream, suite)
        for failed in run.failed:
            write_failed(stream, failed)
        for missing in run.unjudged:
            _write(stream, "unjudged", missing)
        for suite_not_run in run.unselected:
            _write(stream, "unselected", suite_not_run)
        _write(stream, "end", End(run.whole and not run.unjudged, run.failed_samples))


@contextmanager
def _opened(path: Path, *, packed: bool) -> Iterator[TextIO]:
    """For writing. Packed, the same content is the same bytes: there is neither a name nor a time in it."""
    if not packed:
        with path.open("w", encoding="utf-8") as stream:
            yield stream
        return
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=raw, mtime=0) as packer,
        TextIOWrapper(packer, encoding="utf-8", newline="\n") as text,
    ):
        yield text


class Recorder:
    """Writes a record suite by suite to PATH.unfinished; a killed run leaves it there.

    The last run's record stays until `finish` replaces it. Errors on the way are ignored: the run continues,
    and `finish` raises them.
    """

    def __init__(self, path: Path, facts: RunFacts) -> None:
        self._path = path
        self._unfinished = path.with_name(path.name + ".unfinished")
        self._facts = facts
        self._started = False

    def add(self, done: SuiteRun | FailedSuite) -> None:
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Opened again each time: another run that writes to the same path must not get our lines.
            with self._unfinished.open("a" if self._started else "w", encoding="utf-8") as stream:
                if not self._started:
                    _write(stream, "run", self._facts)
                    self._started = True
                if isinstance(done, SuiteRun):
                    write_suite(stream, done)
                else:
                    write_failed(stream, done)

    def finish(self, run: Run) -> None:
        """Puts the record in its place and deletes PATH.unfinished."""
        write_run(self._path, run)
        if self._started:
            self._unfinished.unlink(missing_ok=True)


def _write(stream: TextIO, kind: str, content: Line) -> None:
    line = _ENCODER.encode({"kind": kind, **_plain(content)})
    for end in _OTHER_LINE_ENDS:
        line = line.replace(end, f"\\u{ord(end):04x}")
    stream.write(line + "\n")


def _plain(value: Any) -> dict[str, Any]:
    """A dataclass as the encoder takes it. `dataclasses.asdict` copies everything: slow for 100,000 samples."""
    plain = {key: getattr(value, name) for name, key in keys_of(cast("Hashable", type(value)))}
    if isinstance(value, Result):
        for name in ("context", "repeat"):
            if not plain[name]:
                del plain[name]
    if isinstance(value, GateResult) and not value.excluded:
        del plain["excluded"]
    if isinstance(value, GateResult) and value.reached:
        del plain["reached"]
    if isinstance(value, ModelFacts) and not value.scoring:
        del plain["scoring"]
    if isinstance(value, RunFacts) and not value.compact:
        del plain["compact"]
    if isinstance(value, End) and not value.failed_samples:
        del plain["failed_samples"]
    match value:
        case Evidence():
            for name in ("by_evaluator", "tokens"):
                if not plain[name]:
                    del plain[name]
        case Verdict(by="") if not value.opinions:
            del plain["by"], plain["opinions"]
        case Result(label="", drawn=None):
            del plain["label"], plain["drawn"]
        case GateResult(corrected=None, raw=None):
            del plain["corrected"], plain["raw"]
        case SuiteRun():
            del plain["results"], plain["gates"]  # lines of their own
            if not value.labelled_by:
                del plain["labelled_by"]
            if (repeats := repeats_of(value.results)) is not None:
                plain["repeats"] = _spread(repeats)
            if (count := repeats_in(value.results)) > 1:
                plain["judge_repeats"] = _stability(count, value.results)
        case Audit():
            plain["verdict"] = value.fitness
        case FailedSuite(target="") | Unjudged(target=""):
            del plain["target"]
    return plain


def _spread(repeats: Repeats) -> dict[str, Any]:
    """For readers of the file; mtprobe computes it from the samples."""
    return {
        "count": repeats.count,
        "accuracies": repeats.accuracies,
        "deviation": repeats.deviation,
        "flaky": {sample.id: sample.verdicts for sample in repeats.flaky},
    }


def _stability(count: int, results: Sequence[Result]) -> dict[str, Any]:
    """The same, of a judge that was asked repeatedly."""
    first = first_repeat(results)
    agreements = {result.name: sample_agreement(result.verdict.evidence) for result in first}
    return {
        "count": count,
        "unstable": unstable(first).value,
        "samples": {name: same for name, same in agreements.items() if same is not None and same < 1},
    }


# Not pydantic's: it writes 1e-05 as 0.00001, and a record read and written again would not be the same.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"), default=_plain
)
