"""Languages × suites: the results of a multilingual model for each target language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mtprobe.metrics import Measure
from mtprobe.records import Run, SuiteRun
from mtprobe.report.categories import category_rows, choice_rows
from mtprobe.report.numbers import interval, share
from mtprobe.report.rich_text import foreign, table_of

if TYPE_CHECKING:
    from rich.table import Table

_WORST_FIRST = ("error", "failed", "empty", "undecided", "xfail", "passed")  # statuses of gates
_STYLES = {"passed": "green", "undecided": "yellow", "xfail": "yellow", "": ""}
EXPLAINED = "the accuracy of the lowest category, or of all samples if there are no categories; → the most frequent choice where no answer is right"


@dataclass(frozen=True, slots=True)
class LanguageCell:
    """A suite in one language."""

    suite: SuiteRun
    category: str  # the lowest one, or `→ CHOICE` where no answer is right; empty: all samples
    measure: Measure  # its accuracy, or how often the choice is made
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

    @property
    def titles(self) -> list[str]:
        """The heads of the rows: with the method where a suite has several."""
        counts = Counter(row.suite for row in self.rows)
        return [row.suite + (f" · {row.method}" if counts[row.suite] > 1 else "") for row in self.rows]


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
    statuses = {gate.status for gate in suite.gates}
    status = next((status for status in _WORST_FIRST if status in statuses), "")
    return LanguageCell(suite, *_representative(suite), status)


def _representative(suite: SuiteRun) -> tuple[str, Measure]:
    """The number that stands for a suite, and whose it is."""
    rows, choices = category_rows(suite), choice_rows(suite)
    if lowest := next((row for row in rows if row.lowest), None):
        return lowest.name, lowest.accuracy
    if rows or not choices:
        return "", rows[-1].accuracy if rows else Measure.nothing()
    most = max(choices, key=lambda row: row.chosen.value or 0.0)
    return ("", most.chosen) if most.chosen.value is None else (f"→ {most.choice}", most.chosen)


def terminal_tables(run: Run, width: int) -> Iterator[Table]:
    """For the summary at the end of a run; nothing if there is one target. Intervals and n where they fit."""
    for languages in language_tables(run):
        titles, full = languages.titles, [[_full(cell) for cell in row.cells] for row in languages.rows]
        columns = [titles, *zip(*full, strict=True)]
        fits = sum(max(map(len, column)) + 2 for column in columns) <= width
        table = table_of(
            ["suite", *languages.columns], f"{languages.model}: lowest accuracy by target language"
        )
        for title, row, numbers in zip(titles, languages.rows, full, strict=True):
            texts = numbers if fits else [_short(cell) for cell in row.cells]
            styles = [_STYLES.get(cell.status, "red") if cell else "" for cell in row.cells]
            shown = (foreign(text, style) for text, style in zip(texts, styles, strict=True))
            table.add_row(foreign(title), *shown)
        yield table


def _full(cell: LanguageCell | None) -> str:
    """`0.62 0.55–0.69 n 180 failed`."""
    if cell is None:
        return "–"
    measure = cell.measure
    return _noted(cell, f"{share(measure.value)} {interval(measure)} n {measure.n:,}")


def _short(cell: LanguageCell | None) -> str:
    """`0.62 failed`."""
    return "–" if cell is None else _noted(cell, share(cell.measure.value))


def _noted(cell: LanguageCell, number: str) -> str:
    """With the choice that it counts, and the status of the gates unless they passed."""
    choice = cell.category if cell.category.startswith("→") else ""
    status = "" if cell.status == "passed" else cell.status
    return " ".join(part for part in (choice, number, status) if part)
