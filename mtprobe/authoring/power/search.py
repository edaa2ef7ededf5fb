"""Searches for the smallest error rate that a gate catches: a grid of rates, refined around the threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from mtprobe.authoring.power.outcome import CAUGHT, Point, SmallestRate
from mtprobe.authoring.power.simulate import Simulation
from mtprobe.gates import Gate

GRID = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
_COARSE = 4  # of the runs, one in so many is made at every rate of the grid
_FEWEST = 25  # runs at a rate
_HALVINGS = 3  # of the distance between two rates of the grid
_NARROW = 0.004  # rates that are nearer to each other than this need no halving


def curves(simulation: Simulation, gates: Sequence[Gate], runs: int) -> list[tuple[Point, ...]]:
    """For each gate, a few runs at each rate of a grid, and all runs around the smallest rates that it catches."""
    few = max(_FEWEST, runs // _COARSE)
    points: list[dict[float, Point]] = [{} for _ in gates]
    for rate in GRID:
        for known, point in zip(points, simulation.at(rate, gates, few), strict=True):
            known[rate] = point
    for gate, known in zip(gates, points, strict=True):
        for failed_only in (False, True) if gate.bound.level else (False,):
            _refine(simulation, gate, known, runs, failed_only=failed_only)
    return [tuple(known[rate] for rate in sorted(known)) for known in points]


def _refine(
    simulation: Simulation, gate: Gate, known: dict[float, Point], runs: int, *, failed_only: bool
) -> None:
    """All runs at the two rates between which the gate begins to catch errors, and between them."""

    def measured(rate: float) -> float:
        if known[rate].runs < runs and rate < 1:
            known[rate] = simulation.at(rate, [gate], runs)[0]
        return known[rate].share(failed_only=failed_only)

    for _ in range(_HALVINGS + 3):  # all runs may move the crossing to a neighbour
        rates = [0.0, *sorted(known)]
        shares = [0.0, *(known[rate].share(failed_only=failed_only) for rate in rates[1:])]
        above = next((place for place, share in enumerate(shares) if share >= CAUGHT), None)
        if above is None:
            return
        low, high = rates[above - 1], rates[above]
        before = [(rate, known[rate].runs) for rate in (low, high) if rate]
        for rate, _runs in before:
            measured(rate)
        if [(rate, known[rate].runs) for rate in (low, high) if rate] != before:
            continue
        if high - low <= max(_NARROW, 0.1 * high):
            return
        middle = round((low + high) / 2, 4)
        known[middle] = simulation.at(middle, [gate], runs)[0]


def smallest(points: Sequence[Point], *, failed_only: bool = False) -> SmallestRate | None:
    """The rate at the threshold, by linear interpolation; None if the gate is never caught in 80 % of the runs."""
    bands = [point.interval(failed_only=failed_only) for point in points]
    rate = _crossing(points, lambda place: points[place].share(failed_only=failed_only))
    if rate is None:
        return None
    low = _crossing(points, lambda place: bands[place][1])
    high = _crossing(points, lambda place: bands[place][0])
    return SmallestRate(rate, min(rate, low if low is not None else rate), max(rate, high or 1.0))


def _crossing(points: Sequence[Point], share: Callable[[int], float]) -> float | None:
    curve = [(0.0, 0.0), *((point.rate, share(place)) for place, point in enumerate(points))]
    for (rate, value), (next_rate, next_value) in pairwise(curve):
        if next_value >= CAUGHT:
            return rate + (next_rate - rate) * (CAUGHT - value) / (next_value - value)
    return None
