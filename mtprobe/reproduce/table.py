"""A cell of a published table: the printed figure, ours, and whether they agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from mtprobe.metrics import Measure


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. It is checked where ours comes from the very outputs or files that the printed one came from."""

    row: str
    column: str
    printed: str | None = (
        None  # as it is printed, so that its decimals are known; None: the papers print none
    )
    ours: float | None = None
    needs: str = ""  # what is missing where we have no figure
    checked: bool = False
    spread: float | None = None  # standard deviation over models
    interval: tuple[float, float] | None = None  # of 95 %, of one model
    n: int | None = None  # what it was computed over
    digits: int = 1  # after the point, where no figure is printed

    @property
    def decimals(self) -> int:
        """The decimals of the printed figure, if there is one."""
        return self.digits if self.printed is None else len(self.printed.partition(".")[2])

    @property
    def agrees(self) -> bool | None:
        """Whether ours is the printed figure within its precision; None where they need not be the same."""
        if not self.checked or self.ours is None or self.printed is None:
            return None
        return bool(abs(self.ours - float(self.printed.replace(",", ""))) <= 0.5 * 0.1**self.decimals + 1e-9)

    @property
    def text(self) -> str:
        """Ours, with the decimals of the printed one."""
        if self.ours is None:
            return "–"
        spread = f" ± {self._rounded(self.spread)}" if self.spread is not None else ""
        return f"{self._rounded(self.ours)}{spread}{self._uncertainty}"

    @property
    def _uncertainty(self) -> str:
        """` (45.1 to 58.0, n = 60)`, of a model's figure."""
        if self.interval is None:
            return ""
        low, high = map(self._rounded, self.interval)
        return f" ({low} to {high}, n = {self.n:,})"

    def _rounded(self, value: float) -> str:
        """Halves are rounded up, as people and papers do: 86.25 is 86.3."""
        return f"{value + math.copysign(1e-9, value):z,.{self.decimals}f}"


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of one published table, or of a part of it."""

    title: str
    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()
    folded: bool = False  # many cells: only those that differ are shown, and how many there are

    @property
    def differing(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.cells if cell.agrees is False)


def mean_cell(row: str, column: str, measures: Sequence[Measure], digits: int = 1) -> Cell:
    """The figure of the user's models: their mean, with its standard deviation; no figure where none has one.

    A single model's has its interval.
    """
    values = [measure.value for measure in measures if measure.value is not None]
    one = measures[0] if len(values) == 1 and measures[0].has_interval else None
    return Cell(
        row,
        column,
        ours=fmean(values) if values else None,
        needs="" if values else "samples that the metric can be computed over",
        spread=stdev(values) if len(values) > 1 else None,
        interval=(one.low, one.high) if one else None,
        n=measures[0].n if values else None,
        digits=digits,
    )
