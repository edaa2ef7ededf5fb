"""How often a gate catches errors, by error rate: numbers → coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mtprobe.authoring.power.outcome import CAUGHT, Catch, GatePower, Point
from mtprobe.report.runs.power import error_name, rate

WIDTH, HEIGHT = 320.0, 168.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 8.0, 8.0, 22.0
_CURVES = 5  # per chart: more could not be told apart
_RATES = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
_SHARES = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """One kind of error."""

    name: str
    number: int  # of its colour and its dashes
    d: str
    x: float  # where it is caught
    low: float
    high: float
    text: str  # `0.21 (0.19–0.23)`


@dataclass(frozen=True, slots=True)
class PowerChart:
    gate: GatePower
    curves: tuple[Curve, ...]
    more: int  # kinds of errors that are caught and not drawn
    described: str
    caught: float = HEIGHT - _BOTTOM - CAUGHT * (HEIGHT - _TOP - _BOTTOM)
    frame: tuple[float, float, float, float] = (_LEFT, _TOP, WIDTH - _RIGHT, HEIGHT - _BOTTOM)
    size: tuple[float, float] = (WIDTH, HEIGHT)

    @property
    def rates(self) -> list[tuple[float, str]]:
        return [(_x(value), f"{value:g}") for value in _RATES]

    @property
    def shares(self) -> list[tuple[float, str]]:
        return [(_y(value), f"{value:.0%}") for value in _SHARES]


def power_chart(gate: GatePower, caught: Sequence[Catch]) -> PowerChart:
    """The errors that the gate catches, those with the smallest rates."""
    curves = [_curve(number, catch) for number, catch in enumerate(caught[:_CURVES])]
    named = "; ".join(f"{curve.name} caught at {curve.text}" for curve in curves)
    described = f"{gate.key}, the share of runs that it does not pass, over the rate of errors: {named}"
    return PowerChart(gate, tuple(curves), max(0, len(caught) - _CURVES), described)


def _curve(number: int, catch: Catch) -> Curve:
    points = (Point(0.0, 1, 0, 0), *catch.points)
    d = "L".join(f"{_x(point.rate):.1f} {_y(point.share()):.1f}" for point in points)
    ends = catch.smallest
    low, middle, high = (_x(value) for value in (ends.low, ends.rate, ends.high)) if ends else (0.0, 0.0, 0.0)
    return Curve(error_name(catch), number, f"M{d}", middle, low, high, rate(ends))


def _x(value: float) -> float:
    """The position by the square root of the rate, because small rates matter most."""
    return _LEFT + math.sqrt(value) * (WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)
