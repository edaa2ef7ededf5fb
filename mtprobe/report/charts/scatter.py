"""A scatter plot of models with fitted lines: numbers → coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mtprobe.studies.observations import Observations, Observed
from mtprobe.studies.regression import LinearRegression

WIDTH, HEIGHT = 520.0, 340.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 14.0, 12.0, 44.0
_ROOM = 0.06  # of the range, on either side


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    flagged: bool
    label: str


@dataclass(frozen=True, slots=True)
class Path:
    """A polyline: `d` of an SVG path."""

    d: str
    flagged: bool


@dataclass(frozen=True, slots=True)
class Scatter:
    """One outcome over the first numeric predictor, in two colours by the first flag."""

    outcome: str
    across: str
    flag: str | None
    points: tuple[Point, ...]
    joined: tuple[Path, ...]  # models of one line
    fitted: tuple[Path, ...]  # the regression's line, with and without the flag
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    frame: tuple[float, float, float, float] = (_LEFT, _TOP, WIDTH - _RIGHT, HEIGHT - _BOTTOM)
    size: tuple[float, float] = (WIDTH, HEIGHT)


def scatter(observations: Observations, regression: LinearRegression) -> Scatter | None:
    """The drawing of one regression; None if all predictors are flags, so that there is no x axis."""
    across = next((name for name in observations.on if not observations.is_flag(name)), None)
    if across is None:
        return None
    flag = next((name for name in observations.on if observations.is_flag(name)), None)
    xs, ys = observations.numbers(across), observations.numbers(regression.outcome)
    horizontal = _Scale(xs, _LEFT, WIDTH - _RIGHT)
    fitted = _fitted(observations, regression, across, flag)
    vertical = _Scale([*ys, *(y for ends in fitted.values() for _, y in ends)], HEIGHT - _BOTTOM, _TOP)

    def place(model: Observed) -> tuple[float, float]:
        return horizontal.at(float(model.values[across])), vertical.at(
            float(model.values[regression.outcome])
        )

    def flagged(model: Observed) -> bool:
        return flag is not None and bool(model.values[flag])

    lines: dict[str, list[Observed]] = {}
    for model in observations.models:
        if model.line is not None:
            lines.setdefault(model.line, []).append(model)
    return Scatter(
        outcome=regression.outcome,
        across=across,
        flag=flag,
        points=tuple(
            Point(
                *place(model),
                flagged(model),
                f"{model.name}: {across} {model.values[across]:g}, {regression.outcome} {model.values[regression.outcome]:g}",
            )
            for model in observations.models
        ),
        joined=tuple(
            Path(_d(sorted(map(place, group))), all(map(flagged, group)))
            for group in lines.values()
            if len(group) > 1
        ),
        fitted=tuple(
            Path(_d([(horizontal.at(x), vertical.at(y)) for x, y in ends]), side)
            for side, ends in fitted.items()
        ),
        x_ticks=horizontal.ticks(),
        y_ticks=vertical.ticks(),
    )


def _fitted(
    observations: Observations, regression: LinearRegression, across: str, flag: str | None
) -> dict[bool, list[tuple[float, float]]]:
    """The two ends of the regression line without and with the flag, as numbers.

    All other predictors are held at their means; each line spans its own models.
    """
    columns = {name: observations.numbers(name) for name in observations.on}
    means = {name: math.fsum(column) / len(column) for name, column in columns.items()}
    ends = {}
    for side in (False, True) if flag else (False,):
        inside = [
            float(model.values[across])
            for model in observations.models
            if flag is None or bool(model.values[flag]) is side
        ]
        values = {**means, **({flag: float(side)} if flag else {})}
        ends[side] = [(x, regression.predicted({**values, across: x})) for x in (min(inside), max(inside))]
    return ends


def _d(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


class _Scale:
    """Maps numbers to coordinates between two ends."""

    def __init__(self, numbers: Sequence[float], first: float, last: float) -> None:
        low, high = min(numbers), max(numbers)
        room = _ROOM * (high - low) or 1.0
        self._low, self._high = low - room, high + room
        self._first, self._last = first, last

    def at(self, number: float) -> float:
        share = (number - self._low) / (self._high - self._low)
        return self._first + share * (self._last - self._first)

    def ticks(self) -> tuple[Tick, ...]:
        """About five round numbers."""
        rough = (self._high - self._low) / 5
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough * 0.999)
        first = math.ceil(self._low / step)
        numbers = [step * count for count in range(first, math.floor(self._high / step) + 1)]
        return tuple(Tick(self.at(number), f"{number:.10g}") for number in numbers)
