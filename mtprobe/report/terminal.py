"""The summary at the end of a pytest run with `-v`: everything in the record except single samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import combinations
from typing import TYPE_CHECKING

from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.metrics import Measure
from mtprobe.metrics.repeats import repeats_of
from mtprobe.records import Run, SuiteRun
from mtprobe.report.agreement import agreements
from mtprobe.report.audit import audit_text, audit_warning, judged_by_itself
from mtprobe.report.categories import CategoryRow, ChoiceRow, category_rows, choice_rows
from mtprobe.report.charts.languages import terminal_tables
from mtprobe.report.corrected import COLUMNS, beside, corrected_cells
from mtprobe.report.further import further_rows
from mtprobe.report.headline import status_text
from mtprobe.report.in_place import alarms, audit_lines
from mtprobe.report.noise import noise_lines
from mtprobe.report.numbers import alarms as false_alarms
from mtprobe.report.numbers import (
    bounds,
    interval,
    sample_count,
    share,
    signature,
    with_bounds,
    with_interval,
)
from mtprobe.report.rich_text import console_for, foreign, table_of
from mtprobe.report.salience import importance_lines
from mtprobe.report.screen.items import Item
from mtprobe.report.screen.summary import print_items
from mtprobe.report.screen.table import STYLES
from mtprobe.report.senses import sense_maps

if TYPE_CHECKING:
    import pytest
    from rich.table import Table

_FITNESS = {Fitness.FIT: "green", Fitness.UNFIT: "bold red", None: "yellow"}


def summary(run: Run, reporter: pytest.TerminalReporter, items: Sequence[Item] = ()) -> str:
    """Suite × category with intervals, the minimum, and the gates, then what failed; as text for pytest's writer."""
    text = StringIO()
    colour = bool(reporter.hasmarkup)
    console = console_for(text, least=80, force_terminal=colour, no_color=not colour)

    def line(content: str, style: str | None = None) -> None:
        """The terminal wraps long lines, so that logs can be searched for them."""
        console.print(foreign(content, style or ""), soft_wrap=True)

    for alarm in alarms(run):
        judged = alarm.suite
        title = f"{judged.suite} · {judged.model.name} {judged.source}→{judged.target} · {judged.method}"
        line(f"{alarm.title.upper()}: {title}: {alarm.text}", style="bold red")
    for exclusion in run.exclusions:
        line(exclusion, style="yellow")
    for suite in run.suites:
        line(_title(suite), style="bold")
        if rows := category_rows(suite):
            console.print(_accuracies(rows))
        if choices := choice_rows(suite):
            console.print(_choices(choices))
        width = max([9, *(len(status_text(gate)) for gate in suite.gates)])
        for gate in suite.gates:
            style = STYLES[gate.decision] if gate.status == gate.decision.value else "yellow"
            bound = gate.parsed_bound
            number = share(gate.measure.value, bound.value if bound else None)
            value = (
                f"{number}  {interval(gate.measure, bound)}{with_bounds(gate.measure)}{_noted(gate.measure)}"
            )
            console.print(f"  {status_text(gate):<{width}} ", style=style, end="")
            other = f"; {beside(gate)}" if beside(gate) else ""
            line(f"{gate.key} {gate.bound}: {gate.reason or value}{other}")
        gated = {gate.key for gate in suite.gates}
        for row in (row for row in further_rows(suite) if row.key not in gated):
            line(f"  {row.key}: {with_interval(row.measure)}{_noted(row.measure)}")
        if suite.salience:
            for text_line in importance_lines(suite.salience):
                line(f"  {text_line}")
        if audit := audit_text(suite):
            line(f"  evaluator {audit}", style=None if suite.audit else "dim")
        if warning := audit_warning(suite):
            line(f"  warning: {warning}", style="bold red")
        if (repeats := repeats_of(suite.results)) is not None:
            for repeat_line in repeats.lines(every=reporter.verbosity > 0):
                line(f"  {repeat_line}")
        for noise in noise_lines(suite):
            line(f"  {noise}")
        for audited in audit_lines(suite):
            line(f"  {audited.text}", style=_FITNESS.get(audited.fitness, "yellow"))
        for note in suite.notes:
            line(f"  note: {note}", style="yellow")
        line(signature(suite), style="dim")
        line("")
    for table in terminal_tables(run, console.width):
        console.print(table)
    for shared in _sense_lines(run):
        line(shared)
    for pair in agreements(run.suites):
        line(
            f"{pair.one.suite} · {pair.one.model.name} {pair.one.source}→{pair.one.target}: {pair.one.method} and {pair.other.method} agree on "
            f"{with_interval(pair.agreement)}, κ = {with_interval(pair.kappa)}"
        )
        line("")
    print_items(console, items, run, every=True)
    return text.getvalue()


def _sense_lines(run: Run) -> Iterator[str]:
    """Each pair of languages or models once."""
    for senses in sense_maps(run):
        for (first, label), (second, other) in combinations(enumerate(senses.labels), 2):
            shared = with_interval(senses.rows[first][second])
            yield f"{senses.suite}: {label} and {other} share a sense in {shared}"


def _noted(measure: Measure) -> str:
    return f" [{measure.note}]" if measure.note else ""


def _title(suite: SuiteRun) -> str:
    itself = "judged by itself" if judged_by_itself(suite) else ""
    judge = f"evaluator {suite.evaluator.name}" if suite.evaluator else itself
    facts = [
        suite.suite,
        f"{suite.model.name} {suite.source}→{suite.target}",
        suite.method,
        judge,
        sample_count(suite),
        "partial" * suite.partial,
    ]
    return " · ".join(fact for fact in facts if fact)


def _accuracies(rows: Sequence[CategoryRow]) -> Table:
    errors, possible = any(row.errors for row in rows), any(row.accuracy.bounds for row in rows)
    labelled = any(row.corrected for row in rows)
    controlled = any(row.false_alarms for row in rows)
    columns = ["accuracy", "95% interval", *["bounds"] * possible, "weighted", "n", "undecided", "degenerate"]
    columns += [*["errors"] * errors, *["false alarms"] * controlled]
    table = table_of(["category", *columns, *(COLUMNS if labelled else ())])
    for row in rows:
        cells = _cells(row, possible=possible) + [f"{row.errors:,}"] * errors
        cells += [false_alarms(row.false_alarms)] * controlled
        if labelled:
            cells += corrected_cells(row.corrected or Measure.nothing())
        table.add_row(*map(foreign, cells), style="bold" if row.overall else None)
    return table


def _choices(rows: Sequence[ChoiceRow]) -> Table:
    errors = any(row.errors for row in rows)
    possible = any(row.chosen.bounds for row in rows)
    columns = [
        "chosen",
        "95% interval",
        *["bounds"] * possible,
        "n",
        "undecided",
        "degenerate",
        *["errors"] * errors,
    ]
    table = table_of(["no right answer", *columns])
    for row in rows:
        numbers = [share(row.chosen.value), interval(row.chosen), *[bounds(row.chosen) or "–"] * possible]
        counts = [row.chosen.n, row.undecided, row.degenerate, *[row.errors] * errors]
        table.add_row(
            foreign(f"{row.category} → {row.choice}"), *numbers, *(f"{count:,}" for count in counts)
        )
    return table


def _cells(row: CategoryRow, *, possible: bool) -> list[str]:
    return [
        row.name + (" (min)" if row.lowest else ""),
        share(row.accuracy.value),
        interval(row.accuracy),
        *[bounds(row.accuracy) or "–"] * possible,
        share(row.weighted.value),
        *(f"{count:,}" for count in (row.accuracy.n, row.undecided, row.degenerate)),
    ]
