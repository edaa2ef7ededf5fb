"""The summary at the end of a pytest run, on one screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from mtprobe.gates.grouped import grouped, listed
from mtprobe.metrics.repeats import repeats_of
from mtprobe.records import Run, SuiteRun
from mtprobe.report.audit import audit_warning
from mtprobe.report.in_place import alarms
from mtprobe.report.rich_text import console_for, foreign
from mtprobe.report.screen.items import Item, item_lines
from mtprobe.report.screen.samples import worst_lines
from mtprobe.report.screen.table import overview
from mtprobe.report.trouble import mostly_degenerate

if TYPE_CHECKING:
    import pytest
    from rich.console import Console

_STYLES = {"FAILED": "red", "ERROR": "red", "SKIPPED": "yellow"}


def screen(run: Run, items: Sequence[Item], reporter: pytest.TerminalReporter) -> str:
    """Warnings about verdicts, the table, what failed, and the worst samples; as text for pytest's writer."""
    text = StringIO()
    colour = bool(reporter.hasmarkup)
    console = console_for(text, least=80, force_terminal=colour, no_color=not colour)
    for warning in _warnings(run):
        console.print(foreign(warning, "bold red"), soft_wrap=True)
    for table in overview(run, console.width):
        console.print(table)
        console.print()
    for line in dict.fromkeys(map(_degenerate, run.suites)):  # once for all methods
        if line:
            console.print(foreign(line, "bold red"), soft_wrap=True)
    print_items(console, items, run)
    for suite in run.suites:
        if (repeats := repeats_of(suite.results)) is not None:
            for repeat_line in repeats.lines():
                console.print(foreign(f"{_where(suite)}: {repeat_line}"), soft_wrap=True)
    for suite in run.suites:
        for reversal in (gate.reversal for gate in suite.gates if gate.reversal and not gate.excluded):
            console.print(foreign(f"{_where(suite)}: {reversal}", "yellow"), soft_wrap=True)
    for text_line in run.count_excluded(with_reasons=False):  # each reason has a line above
        console.print(foreign(text_line, "yellow"), soft_wrap=True)
    if worst := list(worst_lines(_without_each(run, items))):
        console.print(foreign("The worst samples (-v shows more):", "bold"))
        for line in worst:
            console.print(foreign(f"  {line}"), soft_wrap=True)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def print_items(console: Console, items: Sequence[Item], run: Run, *, every: bool = False) -> None:
    """Prints failures, errors and skips, one line each; the terminal wraps long lines."""
    for status, line in item_lines(items, run, every=every):
        console.print(foreign(status, _STYLES[status]), foreign(line), soft_wrap=True)


def _warnings(run: Run) -> Iterator[str]:
    """Why verdicts cannot be believed: each reason once, with the suites that it is true of."""
    found = [(f"{alarm.title.upper()}: ", alarm.text, _where(alarm.suite)) for alarm in alarms(run)]
    found += [
        ("WARNING: ", warning, _where(suite)) for suite in run.suites if (warning := audit_warning(suite))
    ]
    for group in grouped((f"{title}{text}", (title, where)) for title, text, where in found):
        title = group.items[0][0]
        places = listed(where for _, where in group.items)
        yield f"{title}{places}: {group.reason.removeprefix(title)}"


def _degenerate(suite: SuiteRun) -> str:
    text = mostly_degenerate(suite)
    return f"{_where(suite)}: {text}" if text else ""


def _where(suite: SuiteRun) -> str:
    return f"{suite.suite} · {suite.model.name} {suite.source}→{suite.target}"


def _without_each(run: Run, items: Sequence[Item]) -> list[SuiteRun]:
    """Suites whose failed samples are listed by themselves show none twice."""
    listed_already = {
        (item.path, item.model, item.target) for item in items if item.status == "FAILED" and item.is_sample
    }
    return [
        suite
        for suite in run.suites
        if listed_already.isdisjoint((suite.path, suite.model.name, target) for target in (suite.target, ""))
    ]
