"""Languages × suites: what a model that was run for several targets does in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mtprobe.metrics import Measure
from mtprobe.records import Run, SuiteRun
from mtprobe.report.categories import category_rows
from mtprobe.report.numbers import share
from mtprobe.report.rich_text import foreign, table_of

if TYPE_CHECKING:
    from rich.table import Table

_WORST_FIRST = ("error", "failed", "empty", "undecided", "xfail", "passed")  # statuses of gates
_STYLES = {"passed": "green", "undecided": "yellow", "xfail": "yellow", "": ""}
EXPLAINED = "the accuracy of the lowest category, or of all samples if there are no categories"


@dataclass(frozen=True, slots=True)
class LanguageCell:
    """A suite in one language."""

    suite: SuiteRun
    category: str  # the lowest one; empty: all samples
    accuracy: Measure
    status: str  # the worst of its gates; empty if it has none


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """A suite in all languages."""

    suite: str
    method: str
    cells: tuple[LanguageCell | None, ...]  # in the order of the pairs; None: it was not run


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """All suites of one model."""

    model: str
    pairs: tuple[tuple[str, str], ...]  # source and target
    rows: tuple[LanguageRow, ...]

    @property
    def columns(self) -> list[str]:
        """The heads of the columns: only the target where all pairs share the source."""
        one_source = len({source for source, _ in self.pairs}) == 1
        return [target if one_source else f"{source}→{target}" for source, target in self.pairs]


def language_tables(run: Run) -> list[LanguageTable]:
    """One per model that was run for several targets."""
    models = dict.fromkeys(suite.model.name for suite in run.suites)
    tables = (_table(name, [suite for suite in run.suites if suite.model.name == name]) for name in models)
    return [table for table in tables if len({target for _, target in table.pairs}) > 1]


def _table(model: str, suites: Sequence[SuiteRun]) -> LanguageTable:
    pairs = tuple(dict.fromkeys((suite.source, suite.target) for suite in suites))
    if len({target for _, target in pairs}) < 2:
        return LanguageTable(model, pairs, ())
    rows: dict[tuple[str, str, str], dict[tuple[str, str], LanguageCell]] = {}
    for suite in suites:
        row = rows.setdefault((suite.path, suite.suite, suite.method), {})
        row[suite.source, suite.target] = _cell(suite)
    return LanguageTable(
        model,
        pairs,
        tuple(
            LanguageRow(name, method, tuple(map(row.get, pairs))) for (_, name, method), row in rows.items()
        ),
    )


def _cell(suite: SuiteRun) -> LanguageCell:
    rows = category_rows(suite)
    lowest = next((row for row in rows if row.lowest), None)
    statuses = {gate.status for gate in suite.gates}
    return LanguageCell(
        suite,
        lowest.name if lowest else "",
        lowest.accuracy if lowest else rows[-1].accuracy if rows else Measure.nothing(),
        next((status for status in _WORST_FIRST if status in statuses), ""),
    )


def terminal_tables(run: Run) -> Iterator[Table]:
    """For the summary at the end of a run; nothing if there is one target."""
    for languages in language_tables(run):
        table = table_of(
            ["suite", *languages.columns], f"{languages.model}: lowest accuracy by target language"
        )
        for row in languages.rows:
            cells = [_text(cell) for cell in row.cells]
            styles = [_STYLES.get(cell.status, "red") if cell else "" for cell in row.cells]
            shown = (foreign(text, style) for text, style in zip(cells, styles, strict=True))
            table.add_row(foreign(f"{row.suite} · {row.method}"), *shown)
        yield table


def _text(cell: LanguageCell | None) -> str:
    """`0.62`, with the status of its gates unless they passed."""
    if cell is None:
        return "–"
    status = "" if cell.status == "passed" else cell.status
    return f"{share(cell.accuracy.value)} {status}".strip()
