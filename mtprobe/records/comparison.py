"""Two runs side by side: for each suite, method and category both accuracies, their difference, and what flipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mtprobe.metrics import Measure, Selector, tally
from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.pairing import Pair, Pairing, pair_up
from mtprobe.records import Run, SuiteRun
from mtprobe.records.counterpart import counterpart, judge_warning
from mtprobe.statistics.paired import holm

ALL = "all"
CERTAIN = 0.05  # an adjusted p below it is called a difference


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One category of a suite, or all samples, over those that both runs decided."""

    group: str
    before: Measure
    after: Measure
    gain: Measure  # accuracy after minus accuracy before, with the interval of the paired difference
    broken: int  # samples that regressed
    mended: int  # samples that were fixed
    p: float  # McNemar's, exact, two-sided
    p_adjusted: float = 1.0  # by Holm's method, over all rows of the comparison

    @property
    def certain(self) -> bool:
        return self.p_adjusted < CERTAIN


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """One suite, judged by one method, in both runs."""

    before: SuiteRun
    after: SuiteRun
    rows: tuple[GroupRow, ...]  # categories in the suite's order, then all samples
    broken: tuple[Pair, ...]  # regressed samples, the most confident mistakes first
    mended: tuple[Pair, ...]  # fixed samples
    left_out: Mapping[str, int]  # samples that cannot be compared, by reason
    warnings: tuple[str, ...]

    @property
    def title(self) -> str:
        after = self.after
        return f"{after.suite} · {after.source}→{after.target} · {after.method}"

    @property
    def overall(self) -> GroupRow:
        return self.rows[-1]


@dataclass(frozen=True, slots=True)
class Comparison:
    """An earlier and a later run, with the names that messages use for them."""

    earlier: str
    later: str
    suites: tuple[SuiteComparison, ...]
    unmatched: tuple[str, ...]  # suites that are in one run only, and why

    @property
    def n(self) -> int:
        return sum(suite.overall.gain.n for suite in self.suites)

    @property
    def flips(self) -> int:
        return sum(suite.overall.broken + suite.overall.mended for suite in self.suites)


def compare_runs(
    before: Run, after: Run, earlier: str = "the earlier run", later: str = "the later run"
) -> Comparison:
    """Matches suites as regression gates do, and samples by id and content."""
    only = len({suite.model.name for suite in after.suites}) == 1
    compared: list[SuiteComparison] = []
    unmatched: list[str] = []
    for suite in after.suites:
        other = counterpart(
            before.suites,
            suite=suite.suite,
            method=suite.method,
            source=suite.source,
            target=suite.target,
            model=suite.model.name,
            only=only,
        )
        if isinstance(other, str):
            unmatched.append(f"{_title(suite)} is not in {earlier}: {other}")
        else:
            compared.append(_compare(other, suite))
    matched = {id(comparison.before) for comparison in compared}
    unmatched += [f"{_title(suite)} is not in {later}" for suite in before.suites if id(suite) not in matched]
    return Comparison(earlier, later, _adjusted(compared), tuple(unmatched))


def _title(suite: SuiteRun) -> str:
    return f"{suite.suite} ({suite.method}, {suite.model.name}, {suite.source}→{suite.target})"


def _compare(before: SuiteRun, after: SuiteRun) -> SuiteComparison:
    pairing = pair_up(before.results, after.results)
    return SuiteComparison(
        before,
        after,
        tuple(_rows(after, pairing)),
        pairing.broken,
        pairing.mended,
        pairing.left_out,
        tuple(_warnings(before, after)),
    )


def _rows(after: SuiteRun, pairing: Pairing) -> Iterator[GroupRow]:
    for category in after.categories:
        concerned = [pair for pair in pairing.pairs if Selector(category).concerns(pair.after)]
        if concerned and len(after.categories) > 1:
            yield _row(category, Pairing(tuple(concerned)), after.seed)
    yield _row(ALL, pairing, after.seed)


def _row(group: str, pairing: Pairing, seed: int) -> GroupRow:
    lost, flips = pairing.loss(seed), pairing.counts
    gain = (
        lost if lost.value is None else replace(lost, value=0.0 - lost.value, low=-lost.high, high=-lost.low)
    )
    earlier, later = (
        tally(results, seed)
        for results in ([pair.before for pair in pairing.pairs], [pair.after for pair in pairing.pairs])
    )
    before, after = (accuracy(counts, np.ones(counts.n, dtype=bool)) for counts in (earlier, later))
    return GroupRow(group, before, after, gain, flips.broken, flips.mended, pairing.p)


def _warnings(before: SuiteRun, after: SuiteRun) -> Iterator[str]:
    if warning := judge_warning(before, after):
        yield warning
    for run, which in ((before, "earlier"), (after, "later")):
        if run.partial:
            yield f"the {which} run used only some of the samples"


def _adjusted(suites: Sequence[SuiteComparison]) -> tuple[SuiteComparison, ...]:
    values = iter(holm([row.p for suite in suites for row in suite.rows]))
    return tuple(
        replace(suite, rows=tuple(replace(row, p_adjusted=next(values)) for row in suite.rows))
        for suite in suites
    )
