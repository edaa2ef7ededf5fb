"""A histogram of margins: how clearly samples were decided, and which margins decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.records import SuiteRun
from mtprobe.statistics.intervals import Floats

WIDTH, HEIGHT = 420.0, 96.0
_SIDE, _BASE = 8.0, 78.0  # room beside the bars; the line that they stand on
_BINS = 20  # on each side of 0
_FEWEST = 10  # margins that are worth a drawing
_KEPT = 0.98  # of the margins; those beyond are counted in the outermost bars
_UPWARDS = (Outcome.CORRECT, Outcome.OPEN, Outcome.UNDECIDED, Outcome.INCORRECT)


@dataclass(frozen=True, slots=True)
class MarginBar:
    x: float
    y: float
    width: float
    height: float
    outcome: str


@dataclass(frozen=True, slots=True)
class Margins:
    bars: tuple[MarginBar, ...]
    zero: float  # its x
    floors: tuple[tuple[float, float], ...]  # from and to, in x: margins within them decide nothing
    limit: float  # the margin at either end
    n: int
    without: int  # samples that have no margin
    within: int  # samples whose margin decides nothing
    size: tuple[float, float] = (WIDTH, HEIGHT)
    base: float = _BASE


def margin_chart(suite: SuiteRun) -> Margins | None:
    """None if too few samples have a margin: their method compares no scores, or is seldom asked."""
    scored = [result for result in suite.results if _margin(result) is not None]
    if len(scored) < _FEWEST:
        return None
    margins = np.array([_margin(result) for result in scored], dtype=float)
    outcomes = [result.verdict.outcome for result in scored]
    floors = [floor.margin for floor in suite.noise if floor.margin is not None]
    limit = max(float(np.quantile(np.abs(margins), _KEPT)), *(1.5 * floor for floor in floors), 1e-6)
    return Margins(
        bars=tuple(_bars(margins, outcomes, limit)),
        zero=_x(0.0, limit),
        floors=tuple((_x(-floor, limit), _x(floor, limit)) for floor in floors),
        limit=limit,
        n=len(scored),
        without=len(suite.results) - len(scored),
        within=sum(result.verdict.withheld for result in scored),
    )


def _margin(result: Result) -> float | None:
    """A margin that a verdict rests on: a degenerate output is wrong whatever its scores are."""
    return result.verdict.margin if result.verdict.outcome in _UPWARDS else None


def _x(margin: float, limit: float) -> float:
    return _SIDE + (WIDTH - 2 * _SIDE) * (margin / limit + 1) / 2


def _bars(margins: Floats, outcomes: Sequence[Outcome], limit: float) -> list[MarginBar]:
    edges = np.linspace(-limit, limit, 2 * _BINS + 1)
    bins = np.clip(np.digitize(margins, edges) - 1, 0, 2 * _BINS - 1)
    rows = np.array([_UPWARDS.index(outcome) for outcome in outcomes])
    cells = np.bincount(rows * 2 * _BINS + bins, minlength=len(_UPWARDS) * 2 * _BINS)
    counts = cells.reshape(len(_UPWARDS), 2 * _BINS)
    unit = (_BASE - 4) / counts.sum(axis=0).max()
    tops = _BASE - counts.cumsum(axis=0) * unit
    width = (WIDTH - 2 * _SIDE) / (2 * _BINS)
    return [
        MarginBar(
            _SIDE + place * width, tops[row, place], width - 1, counts[row, place] * unit, outcome.value
        )
        for row, outcome in enumerate(_UPWARDS)
        for place in range(2 * _BINS)
        if counts[row, place]
    ]
