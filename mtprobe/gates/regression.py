"""The gate `regression`: how much accuracy was lost since the baseline, on the samples that both runs decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mtprobe.statistics.measure import Measure
from mtprobe.statistics.paired import holm

if TYPE_CHECKING:
    from mtprobe.metrics.pairing import Pair, Pairing


@dataclass(frozen=True, slots=True)
class Flip:
    """A sample that came out otherwise than in the baseline."""

    id: str
    before: str  # its outcome there
    translation: str | None  # and its translation


@dataclass(frozen=True, slots=True)
class Regression:
    """What a gate on regression rests on, besides its number."""

    baseline: str  # the baseline's model and date
    p: float  # McNemar's, exact, two-sided
    broken: tuple[Flip, ...]  # right there and not here, the surest mistakes first
    mended: tuple[Flip, ...]
    not_compared: tuple[str, ...] = ()  # how many samples, and why
    warnings: tuple[str, ...] = ()
    p_adjusted: float | None = (
        None  # by Holm's method over the run's gates on regression, once all are judged
    )

    @property
    def note(self) -> str:
        """Beside the number, wherever it stands."""
        adjusted = (
            f", Holm-adjusted {p_text(self.p_adjusted)}"
            if self.p_adjusted is not None
            else " (Holm-adjusted at the end of the run)"
        )
        parts = [
            f"{len(self.broken)} broken, {len(self.mended)} mended since {self.baseline}",
            f"McNemar {p_text(self.p)}{adjusted}",
            *(f"not compared: {text}" for text in self.not_compared),
            *self.warnings,
        ]
        return "; ".join(parts)


def p_text(p: float) -> str:
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def regression_of(pairing: Pairing, baseline: str, warnings: Sequence[str]) -> Regression:
    return Regression(
        baseline,
        pairing.p,
        tuple(_flip(pair) for pair in pairing.broken),
        tuple(_flip(pair) for pair in pairing.mended),
        tuple(f"{count:,} {reason}" for reason, count in pairing.left_out.items()),
        tuple(warnings),
    )


def _flip(pair: Pair) -> Flip:
    return Flip(pair.after.id, pair.before.verdict.outcome.value, pair.before.translation)


def adjusted(found: Sequence[Regression]) -> list[Regression]:
    """All gates on regression of a run, with their p adjusted for how many they are."""
    values = holm([one.p for one in found])
    return [replace(one, p_adjusted=value) for one, value in zip(found, values, strict=True)]


def noted(measure: Measure, regression: Regression) -> Measure:
    return replace(measure, note=regression.note)
