"""`python -m tests.statistics.error_rates [RUNS] [PATTERN]`: simulates every cell and writes the tables of docs/explanation/error-rates.md.

With a pattern, only the sections that contain it, and to the terminal only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from .cell import Cell, Rates
from .everything import every_cell

DOCS = Path(__file__).parents[3] / "docs" / "explanation" / "error-rates.md"
START, END = "<!-- error rates -->", "<!-- end of the error rates -->"
NUMBERS = ("passed wrongly", "failed wrongly", "covered", "passed rightly")


def main(runs: int = 4000, pattern: str = "") -> None:
    cells = [cell for cell in every_cell() if pattern.lower() in cell.section.lower()]
    measured = []
    for number, cell in enumerate(cells, 1):
        measured.append((cell, cell.rates(runs)))
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{number} of {len(cells)} cells")
    text = tables(measured, runs)
    if pattern:
        sys.stdout.write(text)
    else:
        before, _, rest = DOCS.read_text(encoding="utf-8").partition(START)
        DOCS.write_text(f"{before}{START}\n\n{text}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


def tables(measured: Iterable[tuple[Cell, Rates]], runs: int) -> str:
    """One Markdown table per section; a rate beyond the goal is bold."""
    sections: dict[str, list[tuple[Cell, Rates]]] = {}
    for cell, rates in measured:
        sections.setdefault(cell.section, []).append((cell, rates))
    parts = []
    for section, rows in sections.items():
        columns = [*rows[0][0].labels, *NUMBERS]
        lines = [f"## {section}", "", f"{runs:,} runs per row.", ""]
        lines += [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
        lines += [f"| {' | '.join(_row(cell, rates))} |" for cell, rates in rows]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _row(cell: Cell, rates: Rates) -> list[str]:
    wrong = [_percent(rate, cell.goal) for rate in (rates.passed, rates.failed)]
    return [*map(str, cell.labels.values()), *wrong, _percent(rates.covered), _percent(rates.power)]


def _percent(rate: float | None, goal: float | None = None) -> str:
    if rate is None:
        return "–"
    shown = f"{rate * 100:.1f}"
    return f"**{shown}**" if goal is not None and float(shown) > goal * 100 + 1e-9 else shown


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))
