"""The overall verdict of a comparison of two runs, in one sentence."""

from __future__ import annotations

from mtprobe.metrics.regression import p_text
from mtprobe.records.comparison import ALL, Comparison, GroupRow, RowVerdict, SuiteComparison

_NAMED = 3  # differences in the verdict
_MAYBE = {RowVerdict.MAYBE_BETTER: "better", RowVerdict.MAYBE_WORSE: "worse"}


def verdict(comparison: Comparison) -> str:
    """Better, worse, both, equal or uncertain; and whether too little could be compared."""
    return " ".join([_difference(comparison), *_caveat(comparison)])


def _difference(comparison: Comparison) -> str:
    if not comparison.n:
        return "Nothing can be compared: no sample was decided in both runs."
    if not comparison.flips and not _changed(comparison):
        return _no_flips(comparison)
    worse, better = _certain(comparison, -1), _certain(comparison, +1)
    if worse and better:
        return f"{comparison.later} is worse than {comparison.earlier} in {_list(worse)}; better in {_list(better)}."
    if worse or better:
        kind = "worse" if worse else "better"
        return f"{comparison.later} is {kind} than {comparison.earlier}: {_list(worse or better)}."
    return _uncertain(comparison)


def _uncertain(comparison: Comparison) -> str:
    """By the intervals, if no difference is certain."""
    rows = [(suite, row) for suite in comparison.suites for row in suite.rows if row.gain.value is not None]
    regressed = sum(suite.overall.regressed for suite in comparison.suites)
    flips = (
        f"{comparison.flips:,} of {comparison.n:,} verdicts flipped "
        f"({regressed:,} regressed, {comparison.flips - regressed:,} fixed)"
    )
    least = min((row for _, row in rows), key=lambda row: (row.p_adjusted, row.p))
    p = f"smallest Holm-adjusted {p_text(least.p_adjusted)}, {least.test}"
    apart = [pair for pair in rows if pair[1].verdict in _MAYBE]
    if not apart:
        return (
            f"No evidence of a difference between {comparison.later} and {comparison.earlier}: {flips}, "
            f"and every interval includes 0 ({p})."
        )
    kinds = {row.verdict for _, row in apart}
    relation = f"be {_MAYBE[kinds.pop()]} than" if len(kinds) == 1 else "differ from"
    names = ", ".join(_name(*pair) for pair in apart[:_NAMED])
    more = f" and {len(apart) - _NAMED} more" if len(apart) > _NAMED else ""
    return (
        f"{comparison.later} may {relation} {comparison.earlier}: {flips}, and intervals exclude 0 for {names}{more}, "
        f"which among {len(rows)} rows may be chance ({p})."
    )


def _changed(comparison: Comparison) -> bool:
    """Whether a number differs. With repeats it may although no sample flipped."""
    return any(row.gain.value for suite in comparison.suites for row in suite.rows)


def _no_flips(comparison: Comparison) -> str:
    same = f"all {comparison.n:,} verdicts on shared samples are the same."
    if comparison.shortages:
        return f"No difference between {comparison.later} and {comparison.earlier} was found: {same}"
    return f"{comparison.later} is equal to {comparison.earlier}: {same}"


def _caveat(comparison: Comparison) -> list[str]:
    """The first reason why the verdict is not about all samples."""
    if not comparison.shortages:
        return []
    first, *others = comparison.shortages
    more = f" (and {len(others)} more)" if others else ""
    return [f"Too little can be compared: {first}{more}."]


def why_not_green(comparison: Comparison) -> list[str]:
    """Why a release should stop: the later run is certainly worse, or it cannot be told. Empty if it need not."""
    if not comparison.n:
        return [*comparison.not_compared, "no sample was decided in both runs"]
    worse = _certain(comparison, -1)
    return [*([f"certainly worse: {_list(worse)}"] if worse else []), *comparison.shortages]


def _certain(comparison: Comparison, sign: int) -> list[tuple[SuiteComparison, GroupRow]]:
    """Each suite's most certain row with this sign; among equally certain ones, the largest difference."""
    rows = []
    for suite in comparison.suites:
        fitting = [row for row in suite.rows if row.certain and (row.gain.value or 0.0) * sign > 0]
        if fitting:
            rows.append((suite, min(fitting, key=lambda row: (row.p_adjusted, -abs(row.gain.value or 0.0)))))
    return sorted(rows, key=lambda pair: pair[1].p_adjusted)


def _list(rows: list[tuple[SuiteComparison, GroupRow]]) -> str:
    named = [_named(suite, row) for suite, row in rows[:_NAMED]]
    more = [f"and {len(rows) - _NAMED} more"] if len(rows) > _NAMED else []
    return ", ".join([*named, *more])


def _named(suite: SuiteComparison, row: GroupRow) -> str:
    value = f"{row.gain.value:+z.2f} ({row.gain.low:+z.2f} to {row.gain.high:+z.2f})"
    p = f"Holm-adjusted {p_text(row.p_adjusted)}, {row.test}"
    return f"{_name(suite, row)} {value}, {p}"


def _name(suite: SuiteComparison, row: GroupRow) -> str:
    group = "" if row.group == ALL else f"[{row.group}]"
    model = f" on {suite.after.model.name}" if suite.one_of_several else ""
    return f"{suite.after.suite}{group} by {suite.after.method}{model}"
