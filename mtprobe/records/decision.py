"""The difference between two runs in one sentence."""

from __future__ import annotations

from mtprobe.metrics.regression import p_text
from mtprobe.records.comparison import ALL, Comparison, GroupRow, SuiteComparison

_NAMED = 3  # differences in the sentence


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
