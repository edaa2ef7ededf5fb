"""All cells, in the order of the tables."""

from __future__ import annotations

from collections.abc import Iterator

from . import corrections, extremes, metrics, regressions, sequential, shares
from .cell import Cell

MODULES = (shares, extremes, metrics, regressions, corrections, sequential)


def every_cell() -> Iterator[Cell]:
    for module in MODULES:
        yield from module.cells()
