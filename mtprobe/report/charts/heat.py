"""Several models side by side: accuracy by suite and category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mtprobe.metrics import Measure
from mtprobe.records import SuiteRun
from mtprobe.report.categories import CategoryRow


@dataclass(frozen=True, slots=True)
class HeatCell:
    suite: SuiteRun
    category: str | None  # None: all samples
    measure: Measure


@dataclass(frozen=True, slots=True)
class HeatRow:
    suite: str
    details: str  # method and languages, which distinguish suites of the same name
    category: str
    cells: tuple[HeatCell | None, ...]  # one per model, in the page's order
    first: bool  # of its suite


def heat_rows(
    runs: Sequence[tuple[SuiteRun, Sequence[CategoryRow]]], models: Sequence[str]
) -> Iterator[HeatRow]:
    """One row per category of each suite, method and language pair."""
    groups: dict[tuple[str, str, str], dict[str, tuple[SuiteRun, Sequence[CategoryRow]]]] = {}
    for suite, rows in runs:
        key = suite.suite, f"{suite.method}, {suite.source}→{suite.target}", suite.path
        groups.setdefault(key, {})[suite.model.name] = (suite, rows)
    for (name, details, _), by_model in groups.items():
        categories = dict.fromkeys((row.name, row.overall) for _, rows in by_model.values() for row in rows)
        for number, (category, overall) in enumerate(categories):
            cells = tuple(_cell(by_model.get(model), category, overall) for model in models)
            yield HeatRow(name, details, category, cells, first=number == 0)


def _cell(
    run: tuple[SuiteRun, Sequence[CategoryRow]] | None, category: str, overall: bool
) -> HeatCell | None:
    if run is None:
        return None
    suite, rows = run
    for row in rows:
        if (row.name, row.overall) == (category, overall):
            return HeatCell(suite, None if overall else category, row.accuracy)
    return None
