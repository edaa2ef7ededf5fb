"""One gate over releases as a small chart: numbers → coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from mtprobe.records.trend import GateTrend, Reading
from mtprobe.report.numbers import interval, share

WIDTH, HEIGHT = 320.0, 124.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 6.0, 8.0, 20.0
_LEAST = 0.2  # the smallest range of an axis: a change of 0.01 must not look like a landslide
_ROOM = 0.08  # of the range, on either side


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with its interval."""

    x: float
    y: float
    low: float | None  # where the interval ends; None: unknown
    high: float | None
    status: str
    partial: bool
    label: str


@dataclass(frozen=True, slots=True)
class BoundStep:
    """A bound over the releases that it was the same for, with the side on which values pass."""

    x: float
    width: float
    y: float
    top: float
    height: float


@dataclass(frozen=True, slots=True)
class SmallMultiple:
    gate: GateTrend
    marks: tuple[Mark, ...]
    lines: tuple[str, ...]  # `d` of paths that join comparable values
    breaks: tuple[tuple[float, str], ...]  # where values before and after cannot be compared, and why
    bounds: tuple[BoundStep, ...]
    ticks: tuple[tuple[float, str], ...]
    described: str
    frame: tuple[float, float, float, float] = (_LEFT, _TOP, WIDTH - _RIGHT, HEIGHT - _BOTTOM)
    size: tuple[float, float] = (WIDTH, HEIGHT)


def small_multiple(gate: GateTrend, releases: Sequence[str]) -> SmallMultiple:
    """The chart; `releases` are the labels on the axis that all charts of a page share."""
    axis = _Axis.of(gate.readings)
    step = (WIDTH - _LEFT - _RIGHT) / len(releases)

    def x(release: float) -> float:
        return _LEFT + (release + 0.5) * step

    marks = tuple(_mark(reading, x(reading.release), axis, releases) for reading in gate.readings)
    joined = (
        f"M{before.x:.1f} {before.y:.1f}L{after.x:.1f} {after.y:.1f}"
        for (before, one), (after, other) in pairwise(zip(marks, gate.readings, strict=True))
        if one.gate.measure.value is not None
        and other.gate.measure.value is not None
        and other.release == one.release + 1
        and not other.apart
    )
    return SmallMultiple(
        gate,
        marks,
        tuple(joined),
        tuple((x(reading.release - 0.5), reading.apart) for reading in gate.readings if reading.apart),
        tuple(_steps(gate.readings, axis, step)),
        tuple((axis.y(value), f"{value:g}") for value in axis.ticks),
        _described(gate, releases),
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    low: float
    high: float

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> _Axis:
        """The range needed for values, intervals and bounds; shares end at 0 and 1."""
        values = list(_extent(readings)) or [0.0, 1.0]
        low, high = min(values), max(values)
        is_share = low >= 0 and high <= 1
        missing = max(0.0, _LEAST - (high - low))
        room = _ROOM * max(high - low, _LEAST) + missing / 2
        low, high = low - room, high + room
        if is_share:
            low, high = max(0.0, min(low, 1 - _LEAST)), min(1.0, max(high, _LEAST))
        return cls(low, high)

    def y(self, value: float) -> float:
        share_of_range = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return HEIGHT - _BOTTOM - share_of_range * (HEIGHT - _TOP - _BOTTOM)

    @property
    def ticks(self) -> list[float]:
        """Three to five round numbers."""
        size = (self.high - self.low) / 4
        power = 10.0 ** math.floor(math.log10(size))
        unit = next((power * factor for factor in (1, 2, 5) if power * factor >= size), power * 10)
        first = math.ceil(self.low / unit - 1e-9)
        last = math.floor(self.high / unit + 1e-9)
        return [round(unit * number, 10) for number in range(first, last + 1)]


def _extent(readings: Sequence[Reading]) -> Iterator[float]:
    for reading in readings:
        measure, bound = reading.gate.measure, reading.gate.parsed_bound
        if measure.value is not None:
            yield measure.value
            if measure.has_interval:
                yield from (measure.low, measure.high)
        if bound is not None:
            yield bound.value


def _mark(reading: Reading, x: float, axis: _Axis, releases: Sequence[str]) -> Mark:
    gate = reading.gate
    measure = gate.measure
    known = measure.has_interval
    return Mark(
        x,
        HEIGHT - _BOTTOM if measure.value is None else axis.y(measure.value),
        axis.y(measure.low) if known else None,
        axis.y(measure.high) if known else None,
        gate.status,
        reading.partial,
        f"{releases[reading.release]}: {share(measure.value)} ({interval(measure)}), {gate.status}"
        + (", only some of the samples" if reading.partial else ""),
    )


def _steps(readings: Sequence[Reading], axis: _Axis, step: float) -> Iterator[BoundStep]:
    bounded = [reading for reading in readings if reading.gate.parsed_bound is not None]
    for _, group in groupby(bounded, key=lambda reading: reading.gate.bound):
        same = list(group)
        bound = same[0].gate.parsed_bound
        if bound is None:
            continue
        y = axis.y(bound.value)
        top, bottom = (_TOP, y) if bound.wants_more else (y, HEIGHT - _BOTTOM)
        width = (same[-1].release - same[0].release + 1) * step
        yield BoundStep(_LEFT + same[0].release * step, width, y, top, bottom - top)


def _described(gate: GateTrend, releases: Sequence[str]) -> str:
    """The chart in a sentence."""
    first, last = gate.readings[0], gate.readings[-1]
    values = f"{share(first.gate.measure.value)} in {releases[first.release]}"
    if last is not first:
        values += f", {share(last.gate.measure.value)} in {releases[last.release]}"
    count = f"{len(gate.readings)} release{'' if len(gate.readings) == 1 else 's'}"
    return f"{gate.key} over {count}: {values}; bound {last.gate.bound}; now {last.gate.status}"
