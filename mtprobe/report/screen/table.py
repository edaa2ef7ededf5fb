"""Suite × category × model as one table: accuracy, its interval, n, and the gate's decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mtprobe.gates import Decision, GateResult
from mtprobe.metrics import Measure, Metric, Selector
from mtprobe.metrics.accuracy import ACCURACY, MINIMUM_ACCURACY
from mtprobe.metrics.chosen import CHOSEN
from mtprobe.metrics.false_alarms import FALSE_ALARMS
from mtprobe.records import Run, SuiteRun
from mtprobe.report.categories import category_rows, choice_rows
from mtprobe.report.charts.languages import terminal_tables
from mtprobe.report.headline import status_text
from mtprobe.report.numbers import interval, share
from mtprobe.report.rich_text import foreign

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

STYLES = {
    Decision.PASSED: "green",
    Decision.FAILED: "red",
    Decision.UNDECIDED: "yellow",
    Decision.ERROR: "red",
    Decision.EMPTY: "red",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A category of a suite on one model, into one language."""

    measure: Measure
    gate: GateResult | None


@dataclass(frozen=True, slots=True)
class Row:
    """A category of a suite, with a cell per column."""

    suite: str
    category: str
    note: str = ""  # how much of the suite was asked
    cells: dict[str, Cell] = field(default_factory=dict)


def overview(run: Run, width: int) -> list[Table]:
    """A column per model or target language if they fit side by side. Otherwise a row for each model; for several
    target languages the lowest category of each suite."""
    rows, columns = _pivoted(run)
    if not rows:
        return []
    if len(columns) > 1 and _width(rows, columns) <= width:
        return [_side_by_side(rows, columns)]
    return list(terminal_tables(run, width)) or [_one_by_one(rows, columns)]


def column_names(suites: Sequence[SuiteRun]) -> list[str]:
    """The part that distinguishes suite runs of the same suite: the model, the target language, or both."""
    models = {suite.model.name for suite in suites}
    targets = {suite.target for suite in suites}

    def name(suite: SuiteRun) -> str:
        parts = [suite.model.name] if len(models) > 1 else []
        if len(targets) > 1:
            parts.append(suite.target)
        return " → ".join(parts)

    return [name(suite) for suite in suites]


def _pivoted(run: Run) -> tuple[list[Row], list[str]]:
    names = column_names(run.suites)
    rows: dict[tuple[str, str, str, str], Row] = {}
    methods: dict[str, set[str]] = {}
    for suite in run.suites:
        methods.setdefault(suite.path, set()).add(suite.method)
    for suite, column in zip(run.suites, names, strict=True):
        title = suite.suite + (f" · {suite.method}" if len(methods[suite.path]) > 1 else "")
        title += " (partial)" * (suite.partial and not suite.stopped)
        note = f"  {suite.stopped.share}" if suite.stopped else ""
        for category, cell in _cells(suite):
            key = (suite.path, suite.suite, title + note, category)
            row = rows.setdefault(key, Row(title, category, note))
            row.cells[column] = cell
    # One suite's rows are together, even if a model has categories that another one lacks.
    order = list(dict.fromkeys(key[:3] for key in rows))
    together = sorted(rows, key=lambda key: order.index(key[:3]))
    return [rows[key] for key in together], list(dict.fromkeys(names))


def _cells(suite: SuiteRun) -> Iterator[tuple[str, Cell]]:
    """The categories, all samples if a gate is on them or there are no categories, and the choices of open ones."""
    categories = category_rows(suite)
    for row in categories:
        selector = Selector() if row.overall else Selector(row.name)
        gate = _gate_on(ACCURACY, suite, selector)
        if gate is None and row.lowest:
            gate = next((gate for gate in suite.gates if gate.metric is MINIMUM_ACCURACY), None)
        if not row.overall or gate is not None or len(categories) == 1:
            yield row.name, Cell(row.accuracy, gate)
        if row.false_alarms and (not row.overall or len(categories) == 1):
            name = "false alarms" if row.overall else f"{row.name}, false alarms"
            yield name, Cell(row.false_alarms, _gate_on(FALSE_ALARMS, suite, selector))
    for choice in choice_rows(suite):
        gates = (gate for gate in suite.gates if gate.metric is CHOSEN and not gate.selector.attributes)
        gate = next((gate for gate in gates if gate.selector.choice == choice.choice), None)
        yield f"{choice.category} → {choice.choice}", Cell(choice.chosen, gate)


def _gate_on(metric: Metric, suite: SuiteRun, selector: Selector) -> GateResult | None:
    gates = (gate for gate in suite.gates if gate.metric is metric)
    return next((gate for gate in gates if gate.selector == selector), None)


def _one_by_one(rows: Sequence[Row], columns: Sequence[str]) -> Table:
    table = _empty("suite", "category", *(["model"] if len(columns) > 1 else []))
    for name in ("accuracy", "95% interval", "n"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("gate", no_wrap=True)
    for row, title in zip(rows, _titles(rows), strict=True):
        for place, (column, cell) in enumerate(row.cells.items()):
            names = (title, row.category) if place == 0 else ("", "")
            table.add_row(
                *map(foreign, names),
                *([foreign(column)] if len(columns) > 1 else []),
                share(cell.measure.value),
                interval(cell.measure),
                f"{cell.measure.n:,}",
                _decision(cell.gate, with_bound=True),
            )
    return table


def _side_by_side(rows: Sequence[Row], columns: Sequence[str]) -> Table:
    table = _empty("suite", "category")
    for name in columns:
        table.add_column(foreign(name), no_wrap=True)
    for row, title in zip(rows, _titles(rows), strict=True):
        cells = [_in_one(row.cells[column]) if column in row.cells else foreign("–") for column in columns]
        table.add_row(foreign(title), foreign(row.category), *cells)
    return table


def _in_one(cell: Cell) -> Text:
    measure = cell.measure
    text = foreign(f"{share(measure.value)} {interval(measure)} n {measure.n:,} ")
    return text.append_text(_decision(cell.gate, with_bound=False))


def _decision(gate: GateResult | None, *, with_bound: bool) -> Text:
    if gate is None:
        return foreign("–" if with_bound else "")
    if gate.excluded:
        return foreign(status_text(gate), "dim")
    style = "yellow" if gate.status == "xfail" else STYLES[gate.decision]
    return foreign(f"{status_text(gate)} {gate.bound}" if with_bound else status_text(gate), style)


def _titles(rows: Sequence[Row]) -> list[str]:
    """The name of a suite on its first row, and below it how much was asked."""
    titles: list[str] = []
    for place, row in enumerate(rows):
        named = place > 0 and rows[place - 1].suite == row.suite
        noted = place > 1 and rows[place - 2].suite == row.suite
        titles.append(row.suite if not named else "" if noted else row.note)
    return titles


def _width(rows: Sequence[Row], columns: Sequence[str]) -> int:
    """The width of the table with a column per model."""
    widths = [max(len(row.suite) for row in rows), max(len(row.category) for row in rows)]
    for column in columns:
        cells = [len(_in_one(row.cells[column]).plain) for row in rows if column in row.cells]
        widths.append(max([len(column), *cells]))
    return sum(widths) + 2 * len(widths)


def _empty(*names: str) -> Table:
    """Without frames and empty lines."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        table.add_column(name, no_wrap=True)
    return table
