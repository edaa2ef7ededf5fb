"""Baselines: runs that later runs are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.metrics import Since
from mtprobe.metrics.regression import adjusted, noted
from mtprobe.records import Run, SuiteRun, read_run
from mtprobe.records.counterpart import NoCounterpart, counterpart, judge_warning, same_judge
from mtprobe.system.named import is_there

HOW_TO = (
    "to make one, run the suites with a model that is good enough, then "
    "`mtprobe bless .mtprobe/last-run.jsonl -o baseline.jsonl`"
)

_INCOMPLETE = "the baseline is of a run that did not judge all its gates"
_NAMED = 4  # lines on what is missing from a run


@dataclass(frozen=True, slots=True)
class Baseline:
    """A blessed run, as a later run sees it."""

    run: Run
    only: bool  # the later run has one model, which may have another name than in the baseline

    def __post_init__(self) -> None:
        for suite in self.run.suites:
            if suite.stopped is not None:
                raise MtprobeError(f"a sequential run cannot be a baseline: {_not_asked(suite)}")

    def since(self, later: SuiteRun) -> Since:
        """The data that a suite's regression gates compare with."""
        earlier = counterpart(self.run.suites, later, only=self.only)
        day = self.run.facts.created[:10]
        incomplete = [] if self.run.whole else [_INCOMPLETE]
        if isinstance(earlier, NoCounterpart):
            reason = "; ".join([earlier.reason, *incomplete])
            return Since(day, reason, ambiguous=earlier.ambiguous, incomparable=earlier.incomparable)
        warning = judge_warning(earlier, later)
        return Since(
            f"{earlier.model.name} of {day}",
            earlier.results,
            [*([warning] if warning else []), *incomplete],
            same_judge=same_judge(earlier, later),
        )


def read_baseline(path: Path, only: bool) -> Baseline:
    """A record as a baseline; the error says how to make one. Of a run that was cut short, what it has is used."""
    if not is_there(path):
        raise MtprobeError(f"there is no baseline {path}: {HOW_TO}")
    return Baseline(read_run(path, whole=False, torn=False, compact=True), only)


def bless(run: Run) -> Run:
    """The run itself if it may be a baseline; otherwise an error says why not."""
    if not run.whole:
        more = [f"and {len(run.missing) - _NAMED} more"] if len(run.missing) > _NAMED else []
        missing = "; ".join([*run.missing[:_NAMED], *more])
        raise MtprobeError(f"the record is incomplete: complete the run, then bless it; {missing}")
    if run.failed:
        failed = run.failed[0]
        raise MtprobeError(f"{failed.suite} could not be run on {failed.model}: {failed.reason}")
    if not run.suites:
        raise MtprobeError("the record has no suites")
    for suite in run.suites:
        if suite.stopped is not None:
            raise MtprobeError(f"the run was sequential: {_not_asked(suite)}")
        if suite.partial:
            raise MtprobeError(f"{suite.suite} was run on only some of its samples: run it without --mt-take")
        errors = [result for result in suite.results if result.verdict.outcome is Outcome.ERROR]
        if errors:
            raise MtprobeError(
                f"{suite.suite}, {suite.model.name}: {len(errors):,} of {len(suite.results):,} samples were not judged "
                f"({errors[0].id}: {errors[0].verdict.reason}); run it again: the translations so far are in the store"
            )
    return run


def _not_asked(suite: SuiteRun) -> str:
    """The missing part of a suite in a sequential run, and what to do about it."""
    asked = f"{suite.stopped.asked:,} of {suite.stopped.samples:,}" if suite.stopped else "not all"
    return f"{suite.suite} was asked for {asked} samples; run it in full: what was asked is in the store"


def compacted(run: Run) -> Run:
    """The data of a run that comparisons need: samples with translations, outcomes, and the texts they were compared with.

    Noise floors stay: without them the details that name them would make the judge look like another one.
    """

    def result(full: Result) -> Result:
        evidence = tuple(Evidence(item.side, item.text, offset=item.offset) for item in full.verdict.evidence)
        verdict = Verdict(full.verdict.outcome, evidence=evidence)
        return replace(full, focus=None, verdict=verdict, label="", drawn=None, context=())

    def suite(full: SuiteRun) -> SuiteRun:
        results = tuple(map(result, full.results))
        return replace(
            full, results=results, gates=(), notes=(), labelled_by=(), salience=None, in_place=None
        )

    return replace(
        run, facts=replace(run.facts, compact=True), suites=tuple(map(suite, run.suites)), unselected=()
    )


def with_adjusted_p(suites: Sequence[SuiteRun]) -> tuple[SuiteRun, ...]:
    """The suites of a finished run, with p adjusted over all their regression gates."""
    values = iter(adjusted([gate.regression for suite in suites for gate in suite.gates if gate.regression]))

    def with_p(suite: SuiteRun) -> SuiteRun:
        gates = []
        for gate in suite.gates:
            if gate.regression is not None:
                regression = next(values)
                gate = replace(gate, regression=regression, measure=noted(gate.measure, regression))
            gates.append(gate)
        return replace(suite, gates=tuple(gates))

    return tuple(with_p(suite) if any(gate.regression for gate in suite.gates) else suite for suite in suites)
