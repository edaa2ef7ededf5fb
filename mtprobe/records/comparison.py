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
    gain: Measure  # accuracy after less accuracy before, with the interval of the paired difference
    broken: int
    mended: int
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
    broken: tuple[Pair, ...]  # right before, not any more; the surest mistakes first
    mended: tuple[Pair, ...]
    left_out: Mapping[str, int]  # samples that cannot be compared, by the reason
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
    """An earlier and a later run; the names are what messages call them."""

    earlier: str
    later: str
    suites: tuple[SuiteComparison, ...]
    unmatched: tuple[str, ...]  # suites that stand in one run only, and why

    @property
    def n(self) -> int:
        return sum(suite.overall.gain.n for suite in self.suites)

    @property
    def flips(self) -> int:
        return sum(suite.overall.broken + suite.overall.mended for suite in self.suites)


def compare_runs(
    before: Run, after: Run, earlier: str = "the earlier run", later: str = "the later run"
) -> Comparison:
    """Matches suites as gates on regression do, and samples by id and content."""
    only = len({suite.model.name for suite in after.suites}) == 1
    found: list[SuiteComparison] = []
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
            unmatched.append(f"{_called(suite)} is not in {earlier}: {other}")
        else:
            found.append(_compare(other, suite))
    matched = {id(one.before) for one in found}
    unmatched += [
        f"{_called(suite)} is not in {later}" for suite in before.suites if id(suite) not in matched
    ]
    return Comparison(earlier, later, _adjusted(found), tuple(unmatched))


def _called(suite: SuiteRun) -> str:
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
        chosen = [pair for pair in pairing.pairs if Selector(category).concerns(pair.after)]
        if chosen and len(after.categories) > 1:
            yield _row(category, Pairing(tuple(chosen)), after.seed)
    yield _row(ALL, pairing, after.seed)


def _row(group: str, pairing: Pairing, seed: int) -> GroupRow:
    lost, counts = pairing.loss(seed), pairing.counts
    gain = (
        lost if lost.value is None else replace(lost, value=0.0 - lost.value, low=-lost.high, high=-lost.low)
    )
    earlier, later = (
        tally(results, seed)
        for results in ([pair.before for pair in pairing.pairs], [pair.after for pair in pairing.pairs])
    )
    both = [accuracy(one, np.ones(one.n, dtype=bool)) for one in (earlier, later)]
    return GroupRow(group, both[0], both[1], gain, counts.broken, counts.mended, pairing.p)


def _warnings(before: SuiteRun, after: SuiteRun) -> Iterator[str]:
    if warning := judge_warning(before, after):
        yield warning
    for run, which in ((before, "earlier"), (after, "later")):
        if run.partial:
            yield f"the {which} run took only a part of the samples"


def _adjusted(suites: Sequence[SuiteComparison]) -> tuple[SuiteComparison, ...]:
    values = iter(holm([row.p for suite in suites for row in suite.rows]))
    return tuple(
        replace(suite, rows=tuple(replace(row, p_adjusted=next(values)) for row in suite.rows))
        for suite in suites
    )
