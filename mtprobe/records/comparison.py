"""Compares two runs: for each suite, method and category, both accuracies, their difference, and the flips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from os import PathLike
from pathlib import Path

import numpy as np

from mtprobe.methods.verdict import Result
from mtprobe.metrics import Measure, tally
from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.pairing import Pair, Pairing, pair_up
from mtprobe.metrics.regression import UNCHANGED
from mtprobe.records import Run, SuiteRun, read_run
from mtprobe.records.counterpart import NoCounterpart, counterpart, judge_warning, same_judge, unique_match
from mtprobe.records.procedure import procedure_of, same_procedure
from mtprobe.statistics.significance import holm

ALL = "all"
CERTAIN = 0.05  # an adjusted p below it is called a difference


class RowVerdict(StrEnum):
    BETTER = "better"
    WORSE = "worse"
    MAYBE_BETTER = "maybe better"  # the interval excludes 0, but with so many rows that may be chance
    MAYBE_WORSE = "maybe worse"
    NO_EVIDENCE = "no evidence of a difference"
    NOTHING = "nothing to compare"


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One category of a suite, or all samples, over those that both runs decided."""

    group: str
    before: Measure
    after: Measure
    gain: Measure  # accuracy after minus accuracy before, with the interval of the paired difference
    regressed: int  # samples
    fixed: int
    p: float  # exact, two-sided
    test: str  # that produced p
    p_adjusted: float = 1.0  # by Holm's method, over all rows of the comparison

    @property
    def certain(self) -> bool:
        return self.p_adjusted < CERTAIN

    @property
    def verdict(self) -> RowVerdict:
        """By the interval, and by the adjusted p: whether chance among all rows would explain it."""
        gain = self.gain
        if gain.value is None:
            return RowVerdict.NOTHING
        if not self.certain and (not gain.has_interval or gain.low <= 0 <= gain.high):
            return RowVerdict.NO_EVIDENCE
        if gain.value > 0:
            return RowVerdict.BETTER if self.certain else RowVerdict.MAYBE_BETTER
        return RowVerdict.WORSE if self.certain else RowVerdict.MAYBE_WORSE


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """One suite, judged by one method, in both runs."""

    before: SuiteRun
    after: SuiteRun
    rows: tuple[GroupRow, ...]  # categories in the suite's order, then all samples
    regressed: tuple[Pair, ...]  # samples, the most confident mistakes first
    fixed: tuple[Pair, ...]
    left_out: Mapping[str, int]  # samples that cannot be compared, by reason
    warnings: tuple[str, ...]
    shortages: tuple[str, ...] = ()  # groups of which too few samples can be compared
    one_of_several: bool = False  # the comparison has other models as well

    @property
    def title(self) -> str:
        return self.titled(self.after.method)

    def titled(self, *more: str) -> str:
        """The suite, its languages and `more`, and the models if the comparison has several pairs of them."""
        after = self.after
        models = (self.models,) if self.one_of_several else ()
        return " · ".join((after.suite, f"{after.source}→{after.target}", *more, *models))

    @property
    def models(self) -> str:
        return f"{self.before.model.name} → {self.after.model.name}"

    @property
    def overall(self) -> GroupRow:
        return self.rows[-1]

    @property
    def is_empty(self) -> bool:
        """Whether no sample can be compared."""
        return not self.overall.gain.n

    @property
    def why_empty(self) -> str:
        if all(result.choices for result in self.after.results):
            return "no answer is right, so choices are counted and not judged"
        return "no sample was decided in both runs"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """An earlier and a later run, with the names that messages use for them."""

    earlier: str
    later: str
    suites: tuple[SuiteComparison, ...]
    unmatched: tuple[str, ...]  # suites that are in one run only, and why
    ambiguous: tuple[str, ...] = ()  # suites that may be one or another of the earlier run
    incomparable: tuple[str, ...] = ()  # suites that were judged by different procedures

    def __repr__(self) -> str:
        rows = (f"{suite.title}: {suite.overall.verdict}" for suite in self.suites)
        flips = ", ".join(
            f"{name} {sum(getattr(suite.overall, name) for suite in self.suites):,}"
            for name in ("regressed", "fixed")
        )
        return f"<Comparison: {'; '.join(rows) or 'no suite in common'}; {flips}; n {self.n:,}>"

    @property
    def n(self) -> int:
        return sum(suite.overall.gain.n for suite in self.suites)

    @property
    def flips(self) -> int:
        return sum(suite.overall.regressed + suite.overall.fixed for suite in self.suites)

    @property
    def shortages(self) -> tuple[str, ...]:
        """Parts of the comparison with too few samples for a verdict."""
        short = (f"{suite.title}: {text}" for suite in self.suites for text in suite.shortages)
        return (*self.incomparable, *self.ambiguous, *short)

    @property
    def not_compared(self) -> tuple[str, ...]:
        """The suites that are missing from the comparison, and why."""
        return (*self.incomparable, *self.ambiguous, *self.unmatched)


def compare_runs(
    before: Run | str | PathLike[str],
    after: Run | str | PathLike[str],
    earlier: str = "the earlier run",
    later: str = "the later run",
    *,
    any_procedure: bool = False,
) -> Comparison:
    """Matches suites as regression gates do, and samples by id and content. A run may be given by the path of its record.

    With `any_procedure`, verdicts by different procedures are compared too, with a warning that differences may be due to the procedures.
    """
    before, after = (
        run if isinstance(run, Run) else read_run(Path(run), compact=True) for run in (before, after)
    )
    only = len({suite.model.name for suite in after.suites}) == 1
    matches = [
        (suite, counterpart(before.suites, suite, only=only, any_procedure=any_procedure))
        for suite in after.suites
    ]
    compared: list[SuiteComparison] = []
    unmatched: list[str] = []
    ambiguous: list[str] = []
    incomparable: list[str] = []
    for suite, other in matches:
        if isinstance(other, SuiteRun):
            rivals = [
                rival
                for rival, same in matches
                if same is other and rival is not suite and rival.model.name == suite.model.name
            ]
            other = _claimed(other, suite, rivals)
        if isinstance(other, SuiteRun):
            compared.append(_compare(other, suite))
        elif other.incomparable:
            incomparable.append(f"{_title(suite)} cannot be compared: {other}")
        elif other.ambiguous:
            ambiguous.append(f"{_title(suite)} cannot be matched in {earlier}: {other}")
        else:
            unmatched.append(f"{_title(suite)} is not in {earlier}: {other}")
    if not incomparable:
        matched = {id(comparison.before) for comparison in compared}
        unmatched += [
            f"{_title(suite)} is not in {later}" for suite in before.suites if id(suite) not in matched
        ]
    return Comparison(
        earlier, later, _adjusted(compared), tuple(unmatched), tuple(ambiguous), tuple(incomparable)
    )


def _claimed(other: SuiteRun, suite: SuiteRun, rivals: Sequence[SuiteRun]) -> SuiteRun | NoCounterpart:
    """Several suites of the later run may fit one earlier suite: it belongs to the one with its content or its path."""
    if not rivals:
        return other
    match = unique_match([suite, *rivals], other)
    if match is suite:
        return other
    if isinstance(match, SuiteRun):
        return NoCounterpart(f'its suite "{suite.suite}" is {match.path}, not {suite.path}')
    paths = ", ".join(run.path for run in (suite, *rivals))
    return NoCounterpart(
        f'{len(rivals) + 1} suites of the later run are named "{suite.suite}" ({paths}), and neither content nor '
        "path says which of them it is: give each suite a name of its own",
        ambiguous=True,
    )


def _title(suite: SuiteRun) -> str:
    return f"{suite.suite} ({suite.method}, {suite.model.name}, {suite.source}→{suite.target})"


def _compare(before: SuiteRun, after: SuiteRun) -> SuiteComparison:
    groups = list(_pairings(before, after))
    _, overall = groups[-1]
    alike = same_judge(before, after)
    return SuiteComparison(
        before,
        after,
        tuple(
            _row(group, pairing, after.seed, same_judge=alike)
            for group, pairing in groups
            if pairing.pairs or pairing is overall
        ),
        overall.regressed,
        overall.fixed,
        overall.left_out,
        tuple(_warnings(before, after, unchanged=alike and overall.identical)),
        tuple(
            pairing.shortage if pairing is overall else f"{group}: {pairing.shortage}"
            for group, pairing in groups
            if pairing.shortage
        ),
    )


def _pairings(before: SuiteRun, after: SuiteRun) -> Iterator[tuple[str, Pairing]]:
    """Pairings by category, if there are several; then over all samples."""
    if len(after.categories) > 1:
        groups: dict[str | None, list[Result]] = {}
        for result in after.results:
            groups.setdefault(result.category, []).append(result)
        for category in after.categories:
            later = groups.get(category, [])
            ids = {result.id for result in later}
            yield category, pair_up((result for result in before.results if result.id in ids), later)
    yield ALL, pair_up(before.results, after.results)


def _row(group: str, pairing: Pairing, seed: int, *, same_judge: bool) -> GroupRow:
    lost, test = pairing.measure(same_judge=same_judge), pairing.test
    gain = lost
    if lost.value is not None:
        gain = replace(lost, value=0.0 - lost.value, low=0.0 - lost.high, high=0.0 - lost.low)
    sides = (
        [result for pair in pairing.pairs for result in pair.earlier],
        [result for pair in pairing.pairs for result in pair.later],
    )
    before, after = (accuracy(tally(side, seed), np.ones(len(side), dtype=bool)) for side in sides)
    return GroupRow(group, before, after, gain, len(pairing.regressed), len(pairing.fixed), test.p, test.name)


def _warnings(before: SuiteRun, after: SuiteRun, *, unchanged: bool) -> Iterator[str]:
    if unchanged:
        yield UNCHANGED
    if not same_procedure(before, after):
        yield f"judged by {procedure_of(before)}, then by {procedure_of(after)}: verdicts may differ for that reason alone"
    if warning := judge_warning(before, after):
        yield warning
    for run, which in ((before, "earlier"), (after, "later")):
        if run.stopped is not None:
            yield f"the {which} run was sequential, and stopped by its verdicts: intervals here do not allow for that"
        elif run.partial:
            yield f"the {which} run used only some of the samples"


def _adjusted(suites: Sequence[SuiteComparison]) -> tuple[SuiteComparison, ...]:
    """With what only all of them together say: adjusted p, and whether models must be named."""
    several = len({suite.models for suite in suites}) > 1
    values = iter(holm([row.p for suite in suites if not suite.is_empty for row in suite.rows]))

    def rows(suite: SuiteComparison) -> tuple[GroupRow, ...]:
        """Without samples there is no test to adjust for."""
        return (
            suite.rows
            if suite.is_empty
            else tuple(replace(row, p_adjusted=next(values)) for row in suite.rows)
        )

    return tuple(replace(suite, rows=rows(suite), one_of_several=several) for suite in suites)
