"""A trend as text: a summary for the terminal, and Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from mtprobe.gates import GateResult
from mtprobe.records.trend import Change, GateTrend, Reading, SuiteTrend, Trend
from mtprobe.report.headline import status_text
from mtprobe.report.markdown import code, folded, table
from mtprobe.report.numbers import interval, share

COLUMNS = ("gate", "bound", "releases", "value", "interval", "now")
LETTERS = {"passed": ".", "failed": "F", "undecided": "?", "error": "E", "empty": "N", "xfail": "x"}
LEGEND = ". passed, F failed, ? undecided, E error, N not measured, x expected failure, - not run, | not comparable with earlier runs"
_SHOWN = 24  # releases in a line
_CHANGES = 20
_COLUMNS = 6  # releases in a table of Markdown


@dataclass(frozen=True, slots=True)
class SuiteCell:
    """A suite in one release: how many of its gates passed."""

    passed: int
    total: int
    kind: str  # the worst decision; empty: it was not run
    apart: str = ""
    partial: bool = False
    reason: str = ""  # why it was not run
    regressed: int = 0  # samples since the release before
    fixed: int = 0

    @property
    def text(self) -> str:
        return f"{self.passed}/{self.total}" if self.kind else "–"


def fine(reading: Reading) -> bool:
    return reading.gate.status in ("passed", "xfail")


def headline(trend: Trend, name: Callable[[str], str] = str) -> str:
    """`v1.2 (our-model): 20 of 23 gates pass`, of the latest release; `name` writes names from outside."""
    latest = len(trend.releases) - 1
    readings = [reading for suite in trend.suites for reading in suite.at(latest)]
    good = sum(map(fine, readings))
    passed = f"{good} of {len(readings)} gates pass" if readings else "no gate was judged"
    return f"{name(trend.releases[latest].title)}: {passed}"


def latest_changes(trend: Trend, name: Callable[[str], str] = str) -> str:
    """How many gates flipped in the latest release."""
    latest = len(trend.releases) - 1
    if not latest:
        return "There is one release so far."
    flipped = [change for change in trend.changes if change.after.release == latest]
    worse = sum(fine(change.before) and not fine(change.after) for change in flipped)
    better = sum(fine(change.after) and not fine(change.before) for change in flipped)
    before = name(trend.releases[latest - 1].label)
    if not flipped:
        return f"No gate changed since {before}."
    return f"Since {before}: {worse} newly failing, {better} newly passing."


def suite_cell(suite: SuiteTrend, release: int) -> SuiteCell:
    if release in suite.absent:
        return SuiteCell(0, 0, "", reason=suite.absent[release])
    readings = suite.at(release)
    state = next(state for state in suite.states if state.release == release)
    bad = [reading.gate.status for reading in readings if not fine(reading)]
    kind = "passed" if not bad else "undecided" if set(bad) == {"undecided"} else "failed"
    return SuiteCell(
        len(readings) - len(bad),
        len(readings),
        kind,
        state.apart,
        state.partial,
        regressed=state.regressed or 0,
        fixed=state.fixed or 0,
    )


def strip(gate: GateTrend, releases: int) -> str:
    """A letter per release, as pytest prints them."""
    by_release = {reading.release: reading for reading in gate.readings}
    shown = range(max(0, releases - _SHOWN), releases)
    return "".join(
        ("|" if by_release[number].apart else "") + LETTERS[by_release[number].gate.status]
        if number in by_release
        else "-"
        for number in shown
    )


def gate_rows(suite: SuiteTrend, releases: int) -> Iterator[list[str]]:
    """The cells of `COLUMNS`."""
    for gate in suite.gates:
        now = gate.latest.gate
        current = gate.latest.release == releases - 1
        yield [
            gate.key,
            now.bound,
            strip(gate, releases),
            _value(now),
            interval(now.measure, now.parsed_bound),
            status_text(now) if current else "not run",
        ]


def change_text(change: Change) -> str:
    """`accuracy[female]: passed → failed, 0.72 → 0.55 (the suite changed)`."""
    before, after = change.before.gate, change.after.gate
    reasons = f" ({change.reasons})" if change.reasons else ""
    values = f"{_value(before)} → {_value(after)}"
    return f"{change.key}: {status_text(before)} → {status_text(after)}, {values}{reasons}"


def _value(gate: GateResult) -> str:
    """With the digits that distinguish it from the bound."""
    return share(gate.measure.value, gate.parsed_bound.value if gate.parsed_bound else None)


def marks(trend: Trend) -> Iterator[str]:
    """Releases that are not what they seem."""
    for release in trend.releases:
        if release.partial:
            yield f"{release.label}: only some of the samples were used"
        for text in release.missing[:3]:
            yield f"{release.label}: {text}"
        if len(release.missing) > 3:
            yield f"{release.label}: and {len(release.missing) - 3} more"


def breaks(trend: Trend) -> Iterator[str]:
    """Where numbers are not comparable with earlier ones, each reason once per release."""
    for number, release in enumerate(trend.releases):
        reasons: dict[str, list[str]] = {}
        for suite in trend.suites:
            for state in suite.states:
                if state.release == number and state.apart:
                    reasons.setdefault(state.apart, []).append(suite.suite)
        for reason, suites in reasons.items():
            yield f"{release.label}: {', '.join(dict.fromkeys(suites))}: {reason}"


def change_lines(trend: Trend) -> Iterator[str]:
    """The flips by release, the newest first: a line per release, then one per gate."""
    changes = trend.changes
    for release, group in groupby(changes[:_CHANGES], key=lambda change: change.after.release):
        yield trend.releases[release].label
        yield from (f"  {trend.name_of(change.suite)}: {change_text(change)}" for change in group)
    if len(changes) > _CHANGES:
        yield f"and {len(changes) - _CHANGES:,} more before"


def trend_markdown(trend: Trend) -> str:
    return "\n".join(_markdown(trend)) + "\n"


def _markdown(trend: Trend) -> Iterator[str]:
    """Texts from outside are in code spans, where they are inert; in HTML tags they would not be."""
    yield f"## mtprobe: {headline(trend, code)}\n\n{latest_changes(trend, code)}\n"
    for line in change_lines(trend):
        yield f"  - {code(line)}" if line.startswith(" ") else f"- {code(line)}"
    shown = range(max(0, len(trend.releases) - _COLUMNS), len(trend.releases))
    yield "\n### Gates that passed, by release\n"
    yield from table(
        ["suite", *(code(trend.releases[number].label) for number in shown)],
        [[code(suite.title), *(_cell(suite, number) for number in shown)] for suite in trend.suites],
    )
    yield from folded("Every gate", _gates(trend))
    for line in (*trend.notes, *marks(trend), *(f"not comparable: {text}" for text in breaks(trend))):
        yield f"\n{code(line)}"


def _cell(suite: SuiteTrend, release: int) -> str:
    cell = suite_cell(suite, release)
    text = f"**{cell.text}**" if cell.kind not in ("passed", "") else cell.text
    return f"{'┆ ' if cell.apart else ''}{text}{' partial' if cell.partial else ''}"


def _gates(trend: Trend) -> Iterator[str]:
    for suite in trend.suites:
        yield f"\n#### {code(suite.title)}\n"
        yield from table(
            COLUMNS,
            [
                [code(key), code(bound), code(letters), *numbers]
                for key, bound, letters, *numbers in gate_rows(suite, len(trend.releases))
            ],
            words=("bound", "releases", "now"),
        )
    yield f"\n{LEGEND}"
