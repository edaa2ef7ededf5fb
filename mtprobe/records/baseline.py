"""The run that later ones are measured against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import Since
from mtprobe.metrics.regression import adjusted, noted
from mtprobe.records import Run, SuiteRun, read_run
from mtprobe.records.counterpart import counterpart, judge_warning
from mtprobe.system.named import is_there

HOW_TO = (
    "to make one, run the suites with the model that is good enough, then "
    "`mtprobe bless .mtprobe/last-run.jsonl -o baseline.jsonl`"
)


@dataclass(frozen=True, slots=True)
class Baseline:
    """A run that was blessed, seen from one that follows it."""

    run: Run
    only: bool  # the later run has one model, which may be called otherwise than it was

    def since(self, later: SuiteRun) -> Since:
        """What a suite's gates on regression are judged on."""
        found = counterpart(
            self.run.suites,
            suite=later.suite,
            method=later.method,
            source=later.source,
            target=later.target,
            model=later.model.name,
            only=self.only,
        )
        day = self.run.facts.created[:10]
        if isinstance(found, str):
            return Since(day, found)
        warning = judge_warning(found, later)
        return Since(f"{found.model.name} of {day}", found.results, [warning] if warning else [])


def read_baseline(path: Path, only: bool) -> Baseline:
    """A record as a baseline, or an error that says how to make one."""
    if not is_there(path):
        raise MtprobeError(f"there is no baseline {path}: {HOW_TO}")
    return Baseline(read_run(path), only)


def bless(run: Run) -> Run:
    """The run as it is, if it may be a baseline; an error says why it may not."""
    if not run.whole:
        raise MtprobeError("the run was interrupted: run it to its end, then bless it")
    if run.failed:
        one = run.failed[0]
        raise MtprobeError(f"{one.suite} could not be run on {one.model}: {one.reason}")
    if not run.suites:
        raise MtprobeError("the record holds no suites")
    for suite in run.suites:
        if suite.partial:
            raise MtprobeError(f"{suite.suite} was run on a part of its samples: run it without --mt-take")
        errors = [one for one in suite.results if one.verdict.outcome is Outcome.ERROR]
        if errors:
            raise MtprobeError(
                f"{suite.suite}, {suite.model.name}: {len(errors):,} of {len(suite.results):,} samples were not judged "
                f"({errors[0].id}: {errors[0].verdict.reason}); run it again: what was translated is in the store"
            )
    return run


def with_adjusted_p(suites: Sequence[SuiteRun]) -> tuple[SuiteRun, ...]:
    """The suites of a finished run, the p of their gates on regression adjusted over all of them."""
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
