"""Two runs side by side: for each suite, method and category both accuracies, their difference, and what flipped.

`verdict` is the difference in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mtprobe.language import tags
from mtprobe.methods import METHODS
from mtprobe.metrics import Measure, Selector, tally
from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.pairing import Pair, Pairing, pair_up
from mtprobe.metrics.regression import p_text
from mtprobe.records import Run, SuiteRun
from mtprobe.statistics.paired import holm

ALL = "all"
CERTAIN = 0.05  # an adjusted p below it is called a difference
_NAMED = 3  # differences in the verdict


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


def counterpart(earlier: Sequence[SuiteRun], later: SuiteRun, *, only: bool) -> SuiteRun | str:
    """The same suite, method and languages with the model of the same name; or with the only model there is, if
    the later run has only one, too (`only`). A string says why there is none."""
    suite = later.suite
    named = [run for run in earlier if run.suite == suite]
    if not named:
        return f'it has no suite "{suite}"'
    judged = [run for run in named if run.method == later.method]
    if not judged:
        methods = dict.fromkeys(run.method for run in named)
        return f"{suite} was judged by {', '.join(methods)}, not by {later.method}"
    fitting = [run for run in judged if _same(run.source, later.source) and _same(run.target, later.target)]
    if not fitting:
        pairs = dict.fromkeys(f"{run.source}→{run.target}" for run in judged)
        return f"{suite} was run for {', '.join(pairs)}, not for {later.source}→{later.target}"
    same = [run for run in fitting if run.model.name == later.model.name]
    if same:
        return same[0]
    if only and len(fitting) == 1:
        return fitting[0]
    names = ", ".join(run.model.name for run in fitting)
    return f"{suite} was run on {names}, not on {later.model.name}"


def _same(tag: str, other: str) -> bool:
    """A record may have any origin: what is not a language tag is compared literally."""
    if tag == other or not (tags.is_language(tag) and tags.is_language(other)):
        return tag == other
    return tags.fits(tag, other) or tags.fits(other, tag)


def judge_warning(before: SuiteRun, after: SuiteRun) -> str | None:
    """A caveat about a difference: verdicts may differ because another model provided the scores."""
    if _judge(before) == _judge(after):
        return None
    if before.judges_itself and after.judges_itself:
        return "each model judged itself: a common `evaluator` would be fairer"
    return "the two runs were judged by different evaluators: verdicts may differ for that reason alone"


def _judge(run: SuiteRun) -> str | None:
    """The model that provided scores as an evaluator; some methods judge the model's own scores."""
    method = METHODS.get(run.method)
    if method is not None and method.scored_by != "evaluator":
        return None
    if run.evaluator is not None:
        return run.evaluator.fingerprint
    return run.model.fingerprint if run.judges_itself else None


def compare_runs(
    before: Run, after: Run, earlier: str = "the earlier run", later: str = "the later run"
) -> Comparison:
    """Matches suites as regression gates do, and samples by id and content."""
    only = len({suite.model.name for suite in after.suites}) == 1
    compared: list[SuiteComparison] = []
    unmatched: list[str] = []
    for suite in after.suites:
        other = counterpart(before.suites, suite, only=only)
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
    sides = [pair.before for pair in pairing.pairs], [pair.after for pair in pairing.pairs]
    before, after = (accuracy(tally(side, seed), np.ones(len(side), dtype=bool)) for side in sides)
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


def verdict(comparison: Comparison) -> str:
    """Better, worse, both, equal or uncertain."""
    if not comparison.n:
        return "Nothing can be compared: no sample was decided in both runs."
    if not comparison.flips:
        return f"{comparison.later} is equal to {comparison.earlier}: all {comparison.n:,} verdicts on shared samples are the same."
    worse, better = _certain(comparison, -1), _certain(comparison, +1)
    if worse and better:
        return f"{comparison.later} is worse than {comparison.earlier} in {_list(worse)}; better in {_list(better)}."
    if worse or better:
        kind = "worse" if worse else "better"
        return f"{comparison.later} is {kind} than {comparison.earlier}: {_list(worse or better)}."
    regressed = sum(suite.overall.broken for suite in comparison.suites)
    least = min(row.p_adjusted for suite in comparison.suites for row in suite.rows)
    return (
        f"No certain difference between {comparison.later} and {comparison.earlier}: {comparison.flips:,} of {comparison.n:,} verdicts "
        f"flipped ({regressed:,} regressed, {comparison.flips - regressed:,} fixed), which may be chance "
        f"(smallest Holm-adjusted {p_text(least)})."
    )


def _certain(comparison: Comparison, sign: int) -> list[tuple[SuiteComparison, GroupRow]]:
    """Each suite's most certain row with this sign; among equally certain ones, the largest difference."""
    rows = []
    for suite in comparison.suites:
        fitting = [row for row in suite.rows if row.certain and (row.gain.value or 0.0) * sign > 0]
        if fitting:
            rows.append((suite, min(fitting, key=lambda row: (row.p_adjusted, -abs(row.gain.value or 0.0)))))
    return sorted(rows, key=lambda pair: pair[1].p_adjusted)


def _list(rows: list[tuple[SuiteComparison, GroupRow]]) -> str:
    named = [_difference(suite, row) for suite, row in rows[:_NAMED]]
    more = [f"and {len(rows) - _NAMED} more"] if len(rows) > _NAMED else []
    return ", ".join([*named, *more])


def _difference(suite: SuiteComparison, row: GroupRow) -> str:
    group = "" if row.group == ALL else f"[{row.group}]"
    value = f"{row.gain.value:+.2f} ({row.gain.low:+.2f} to {row.gain.high:+.2f})"
    return (
        f"{suite.after.suite}{group} by {suite.after.method} {value}, Holm-adjusted {p_text(row.p_adjusted)}"
    )
