"""A forest plot of paired differences: a row per category, its interval, and zero in the middle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mtprobe.records.comparison import GroupRow
from mtprobe.statistics.measure import Measure

WIDTH, HEIGHT = 240.0, 20.0
_EDGE = 6.0
_SCALES = (0.05, 0.1, 0.2, 0.5, 1.0)
_COLUMNS = 21  # characters of a row in the terminal, with zero in the middle


@dataclass(frozen=True, slots=True)
class Forest:
    """The scale that all rows share."""

    limit: float  # differences from -limit to +limit

    @classmethod
    def of(cls, rows: Iterable[GroupRow]) -> Forest:
        ends = [
            abs(end)
            for row in rows
            if row.gain.value is not None
            for end in (row.gain.value, *((row.gain.low, row.gain.high) if row.gain.has_interval else ()))
        ]
        furthest = max(ends, default=0.0)
        return cls(next((scale for scale in _SCALES if furthest <= scale), 1.0))

    def x(self, difference: float) -> float:
        """In a drawing of `WIDTH`."""
        share = max(-1.0, min(1.0, difference / self.limit))
        return WIDTH / 2 + share * (WIDTH / 2 - _EDGE)

    def line(self, gain: Measure) -> str:
        """The row in characters."""
        cells = [" "] * _COLUMNS
        cells[_COLUMNS // 2] = "│"
        if gain.value is None:
            return "".join(cells)
        if gain.has_interval:
            low, high = self._column(gain.low), self._column(gain.high)
            cells[low : high + 1] = ["─"] * (high - low + 1)
            cells[low], cells[high] = "├", "┤"
            if low <= _COLUMNS // 2 <= high:
                cells[_COLUMNS // 2] = "┼"
        cells[self._column(gain.value)] = "●"
        return "".join(cells)

    @property
    def axis(self) -> str:
        """The ends and the middle of the axis, as wide as a line."""
        side = _COLUMNS // 2
        return f"{-self.limit:<+{side}.2f}0{self.limit:>+{side}.2f}"

    def _column(self, difference: float) -> int:
        share = max(-1.0, min(1.0, difference / self.limit))
        return round((share + 1) / 2 * (_COLUMNS - 1))
