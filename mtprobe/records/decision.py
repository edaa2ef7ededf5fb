"""What two runs' difference comes to, in a sentence."""

from __future__ import annotations

from mtprobe.metrics.regression import p_text
from mtprobe.records.comparison import ALL, Comparison, GroupRow, SuiteComparison

_NAMED = 3  # differences that the sentence names


def verdict(found: Comparison) -> str:
    """Better, worse, both, equal, or not to be told."""
    if not found.n:
        return "Nothing can be compared: no sample was decided in both runs."
    if not found.flips:
        return f"{found.later} is equal to {found.earlier}: all {found.n:,} verdicts on shared samples are the same."
    worse, better = _certain(found, -1), _certain(found, +1)
    if worse and better:
        return f"{found.later} is worse than {found.earlier} in {_list(worse)}; better in {_list(better)}."
    if worse or better:
        kind = "worse" if worse else "better"
        return f"{found.later} is {kind} than {found.earlier}: {_list(worse or better)}."
    broken = sum(suite.overall.broken for suite in found.suites)
    least = min(row.p_adjusted for suite in found.suites for row in suite.rows)
    return (
        f"No certain difference between {found.later} and {found.earlier}: {found.flips:,} of {found.n:,} verdicts "
        f"flipped ({broken:,} broken, {found.flips - broken:,} mended), which may be chance "
        f"(smallest Holm-adjusted {p_text(least)})."
    )


def _certain(found: Comparison, sign: int) -> list[tuple[SuiteComparison, GroupRow]]:
    """Of each suite the surest row that went this way; of equally sure ones the one that went farthest."""
    rows = []
    for suite in found.suites:
        fitting = [row for row in suite.rows if row.certain and (row.gain.value or 0.0) * sign > 0]
        if fitting:
            rows.append((suite, min(fitting, key=lambda row: (row.p_adjusted, -abs(row.gain.value or 0.0)))))
    return sorted(rows, key=lambda pair: pair[1].p_adjusted)


def _list(rows: list[tuple[SuiteComparison, GroupRow]]) -> str:
    named = [_one(suite, row) for suite, row in rows[:_NAMED]]
    more = [f"and {len(rows) - _NAMED} more"] if len(rows) > _NAMED else []
    return ", ".join([*named, *more])


def _one(suite: SuiteComparison, row: GroupRow) -> str:
    group = "" if row.group == ALL else f"[{row.group}]"
    value = f"{row.gain.value:+.2f} ({row.gain.low:+.2f} to {row.gain.high:+.2f})"
    return (
        f"{suite.after.suite}{group} by {suite.after.method} {value}, Holm-adjusted {p_text(row.p_adjusted)}"
    )
