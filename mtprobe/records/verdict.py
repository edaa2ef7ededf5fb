"""What a comparison of two runs comes to, in one sentence."""

from __future__ import annotations

from mtprobe.metrics.regression import p_text
from mtprobe.records.comparison import ALL, Comparison, GroupRow, SuiteComparison

_NAMED = 3  # differences in the verdict


def verdict(comparison: Comparison) -> str:
    """Better, worse, both, equal or uncertain; and whether too little could be compared."""
    return " ".join([_difference(comparison), *_caveat(comparison)])


def _difference(comparison: Comparison) -> str:
    if not comparison.n:
        return "Nothing can be compared: no sample was decided in both runs."
    if not comparison.flips:
        return _no_flips(comparison)
    worse, better = _certain(comparison, -1), _certain(comparison, +1)
    if worse and better:
        return f"{comparison.later} is worse than {comparison.earlier} in {_list(worse)}; better in {_list(better)}."
    if worse or better:
        kind = "worse" if worse else "better"
        return f"{comparison.later} is {kind} than {comparison.earlier}: {_list(worse or better)}."
    regressed = sum(suite.overall.broken for suite in comparison.suites)
    rows = [row for suite in comparison.suites for row in suite.rows]
    least = min(rows, key=lambda row: row.p_adjusted)
    return (
        f"No certain difference between {comparison.later} and {comparison.earlier}: {comparison.flips:,} of {comparison.n:,} verdicts "
        f"flipped ({regressed:,} regressed, {comparison.flips - regressed:,} fixed), which may be chance "
        f"(smallest Holm-adjusted {p_text(least.p_adjusted)}, {least.test})."
    )


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
    group = "" if row.group == ALL else f"[{row.group}]"
    value = f"{row.gain.value:+.2f} ({row.gain.low:+.2f} to {row.gain.high:+.2f})"
    p = f"Holm-adjusted {p_text(row.p_adjusted)}, {row.test}"
    return f"{suite.after.suite}{group} by {suite.after.method} {value}, {p}"
