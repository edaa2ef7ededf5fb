"""How numbers are written, everywhere the same."""

from __future__ import annotations

from mtprobe.metrics.measure import Measure


def share(value: float | None) -> str:
    """`0.62`, or a dash where there is nothing."""
    return "–" if value is None else f"{value:.2f}"


def interval(measure: Measure) -> str:
    """`0.55–0.69`."""
    return "–" if measure.value is None else f"{measure.low:.2f}–{measure.high:.2f}"


def with_interval(measure: Measure, level: str = "95%") -> str:
    """`0.62 (95% interval 0.55–0.69, n = 180)`."""
    return f"{share(measure.value)} ({level} interval {interval(measure)}, n = {measure.n:,})"
