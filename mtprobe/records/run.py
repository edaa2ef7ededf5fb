"""A run: the data for all comparisons and reports. These dataclasses define the record's format."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.backends.model import ModelFacts
from mtprobe.gates.grouped import grouped
from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.audit_pairs.outcome import Audit
from mtprobe.methods.conditioning.noise import NoiseFloor
from mtprobe.methods.salience.outcome import SuiteSalience
from mtprobe.methods.verdict import Result
from mtprobe.records.rows import rows_of
from mtprobe.records.tables import data_frame, write_csv
from mtprobe.suite.sample import Scalar

VERSION = "1.11"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Facts about the whole run."""

    version: str  # the version of mtprobe
    created: str  # ISO 8601, UTC
    record: str = VERSION  # the version of the record format
    compact: bool = False  # the record contains only the data needed for comparisons


@dataclass(frozen=True, slots=True)
class EarlyStop:
    """Where and why a sequential run stopped before the last sample of a suite."""

    asked: int  # number of samples processed
    samples: int  # number of samples in the suite
    reason: str  # why the run stopped there
    translated: int = 0  # additional sentences, translated to fit something

    @property
    def saved(self) -> int:
        """Samples that were not asked."""
        return self.samples - self.asked

    @property
    def share(self) -> str:
        """`120 of 500 samples`."""
        return f"{self.asked:,} of {self.samples:,} samples"

    def __str__(self) -> str:
        fitted = f"; {self.translated:,} more were translated to fit something on" if self.translated else ""
        return (
            f"sequential: {self.share} were asked, {self.saved:,} saved: {self.reason}{fitted}; "
            "the limits of gates allow for that, other intervals do not"
        )


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One suite, run on one model and judged by one method."""

    suite: str  # the suite's name
    about: str  # the suite's question
    path: str  # the suite's file
    digest: str  # digest of the suite's content
    method: str  # the method that judged it
    categories: tuple[str, ...]  # in the order of the suite
    source: str  # language tag
    target: str  # language tag
    model: ModelFacts  # the model under test
    evaluator: ModelFacts | None  # the model that provided scores, unless it is the model under test
    judges_itself: bool  # no evaluator was given, so the model scored its own translations
    partial: bool  # only some of the samples were used
    seed: int  # the seed for resampling
    results: tuple[Result, ...] = field(default=(), repr=False)  # `sample` lines
    gates: tuple[GateResult, ...] = ()  # `gate` lines
    variants: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)  # values per target attribute
    notes: tuple[str, ...] = ()  # for readers: for example, what was skipped and why
    labelled_by: tuple[str, ...] = ()  # the annotators of this run's translations
    audit: Audit | None = None  # the evaluator's audit, if the suite has audit pairs for the language
    details: str = ""  # other things that verdicts depend on, such as the lemmatizer and its version
    procedure: str = ""  # how verdicts were reached: methods and their versions; empty before 1.8
    salience: SuiteSalience | None = None  # the salience of source words for given targets, if requested
    noise: tuple[NoiseFloor, ...] = ()  # the margins required for a verdict, one per kind of cue
    in_place: InPlaceAudit | None = None  # the audit of the run's own verdicts
    stopped: EarlyStop | None = None  # if a sequential run stopped early


@dataclass(frozen=True, slots=True)
class Interruption:
    """The progress of a suite at the time its run was stopped."""

    samples: int  # number of samples in the suite
    judged: int  # samples judged by the first unfinished method
    sentences: int  # distinct sentences to translate; 0 if no method needs translations
    translated: int  # sentences already translated


@dataclass(frozen=True, slots=True)
class FailedSuite:
    """A suite that was not completed on a model, for example because the model could not be loaded."""

    suite: str  # the suite's name
    path: str  # the suite's file
    model: str  # the model's name
    reason: str  # what happened
    interrupted: Interruption | None = None  # if the run was stopped
    target: str = ""  # language tag, if the run has several targets

    @property
    def title(self) -> str:
        """The model, with the target if the run has several."""
        return f"{self.model} into {self.target}" if self.target else self.model

    def __str__(self) -> str:
        if self.interrupted is not None:
            return f"{self.suite} on {self.title} was {self.reason}"
        return f"{self.suite} could not be run on {self.title}: {self.reason}"


LOST = "its results did not reach the record"  # why gates are missing that were judged


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Gates of a suite that the run should have judged on a model but did not."""

    suite: str  # the suite's name; empty if it could not be read
    path: str  # the suite's file, or a folder that could not be read
    model: str = ""  # the model's name; empty if the suite could not be read
    gates: tuple[str, ...] = ()  # the keys of the gates
    samples: int = 0  # unjudged samples that must each be correct (`expect: each`)
    collected: int = 0  # gates and such samples of the suite; 0 if it could not be collected
    reason: str = ""  # the reason, if known
    target: str = ""  # language tag, if the run has several targets

    def __str__(self) -> str:
        where = f"{self.suite or self.path}{f' on {self.model}' if self.model else ''}"
        where += f" into {self.target}" if self.target else ""
        reason = f": {self.reason}" if self.reason else ""
        if not self.collected:
            return f"{self.path} could not be collected{reason}"
        if len(self.gates) + self.samples == self.collected:
            return f"{where} was not judged{reason}"
        samples = [f"{self.samples:,} of its samples"] if self.samples else []
        return f"{where} was not judged for {', '.join([*self.gates, *samples])}{reason}"


@dataclass(frozen=True, slots=True)
class Unselected:
    """A suite that was collected for a model, with none of its gates selected (`-k`, `--deselect`)."""

    suite: str  # the suite's name
    path: str  # the suite's file
    model: str  # the model's name
    gates: int  # number of collected gates
    target: str = ""  # language tag, if the run has several targets


@dataclass(frozen=True, slots=True)
class Run:
    """All suites and models of one run."""

    facts: RunFacts
    suites: tuple[SuiteRun, ...]  # one per suite, model and method
    failed: tuple[FailedSuite, ...] = ()
    whole: bool = True  # every collected gate was judged, or the record says why not
    unjudged: tuple[Unjudged, ...] = ()  # suites that were not judged; unknown in older records
    unselected: tuple[Unselected, ...] = ()
    failed_samples: int = 0  # as in `End`

    def __repr__(self) -> str:
        on = dict.fromkeys(f"{suite.model.name} {suite.source}→{suite.target}" for suite in self.suites)
        passed = sum(gate.decision is Decision.PASSED for gate in self.gates)
        return (
            f"<Run: {', '.join(on)}; suites: {len(self.suites)}; gates passed: {passed} of {len(self.gates)}>"
        )

    @property
    def partial(self) -> bool:
        return any(suite.partial for suite in self.suites)

    @property
    def passed(self) -> bool:
        """Whether the run is complete, gates were judged and none failed unexpectedly."""
        fine = all(gate.decision is Decision.PASSED or gate.xfail for gate in self.gates)
        complete = self.whole and not self.failed
        return complete and bool(self.gates) and fine and not self.failed_samples

    @property
    def gates(self) -> list[GateResult]:
        """The gates that count, without those that were skipped or not selected."""
        return [gate for suite in self.suites for gate in suite.gates if not gate.excluded]

    @property
    def not_selected(self) -> int:
        """Gates that were collected but not selected."""
        elsewhere = sum(suite.gates for suite in self.unselected)
        return elsewhere + sum(gate.excluded == "unselected" for suite in self.suites for gate in suite.gates)

    @property
    def not_reached(self) -> int:
        """Gates that were skipped before anything was measured, or that the run did not reach before it stopped."""
        gates = (gate for suite in self.suites for gate in suite.gates)
        return self._never_started + sum(not (gate.reached and gate.was_measured) for gate in gates)

    @property
    def _never_started(self) -> int:
        """Gates of suites whose turn did not come, which therefore have no lines of their own."""
        started = {
            (suite.path, suite.model.name, target) for suite in self.suites for target in (suite.target, "")
        }
        return sum(
            len(missing.gates)
            for missing in self.unjudged
            if missing.reason != LOST and (missing.path, missing.model, missing.target) not in started
        )

    @property
    def exclusions(self) -> tuple[str, ...]:
        """How many gates are excluded, and why."""
        return self.count_excluded(with_reasons=True)

    def count_excluded(self, *, with_reasons: bool) -> tuple[str, ...]:
        """With `with_reasons`, also why gates were skipped if nothing else shows the reason."""
        gates = [gate for suite in self.suites for gate in suite.gates]
        total = len(gates) + sum(suite.gates for suite in self.unselected) + self._never_started
        undecided = sum(gate.status == "skipped" and gate.was_measured for gate in gates)
        stopped = sum(not gate.reached for gate in gates) + self._never_started
        texts = []
        if count := self.not_selected:
            texts.append(f"{_of(count, total)} not selected")
        for group in grouped(
            (f": {gate.reason}" if with_reasons else "", gate) for gate in gates if not gate.was_measured
        ):
            texts.append(f"{_of(len(group.items), total)} skipped{group.reason}")
        if undecided:
            texts.append(f"{undecided:,} undecided {'gate was' if undecided == 1 else 'gates were'} skipped")
        if stopped:
            texts.append(f"{_of(stopped, total)} not judged: the run stopped early")
        return tuple(texts)

    @property
    def missing(self) -> tuple[str, ...]:
        """Messages about missing parts of the run."""
        stopped = "the run was stopped before its end: suites may be missing"
        incomplete = "not every gate that was collected was judged" if self.unjudged else stopped
        return (*([] if self.whole else [incomplete]), *map(str, self.failed), *map(str, self.unjudged))

    def to_rows(self) -> list[dict[str, Any]]:
        """One flat row per sample, for a table or a data frame."""
        return [row for suite in self.suites for row in rows_of(suite)]

    def to_csv(self, path: str | Path, *, raw: bool = False) -> None:
        """The rows as CSV; attributes are columns. The path `-` is standard output.

        A text that a spreadsheet would compute gets an apostrophe in front, unless it shall be `raw`.
        """
        if str(path) == "-":
            write_csv(sys.stdout, self.to_rows(), raw=raw, line_end="\n")
            return
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            write_csv(stream, self.to_rows(), raw=raw)

    def to_frame(self, library: str | None = None) -> Any:
        """The rows as a data frame of "pandas" or "polars"; by default of the first that is installed."""
        return data_frame(self.to_rows(), library)


def _of(count: int, total: int) -> str:
    return f"{count:,} of {total:,} gates {'was' if count == 1 else 'were'}"
