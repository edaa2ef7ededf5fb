"""Regression: how much accuracy was lost since the baseline, on the samples that both runs decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from pydantic import Field

from mtprobe.metrics.metric import Evaluation, Metric, MetricContext, Since
from mtprobe.metrics.pairing import Pair, Pairing, pair_up
from mtprobe.metrics.selectors import Selector
from mtprobe.statistics.clustered import Ratio
from mtprobe.statistics.measure import Estimated, Measure
from mtprobe.statistics.sequential import RatioSequence
from mtprobe.statistics.significance import MCNEMAR, holm

UNCHANGED = "identical translations and evaluator"


@dataclass(frozen=True, slots=True)
class Flip:
    """A sample whose outcome differs from the baseline's."""

    id: str  # the sample's id
    before: str  # the outcome in the baseline
    translation: str | None  # the translation in the baseline
    repeat: int = 0  # the repeat in the later run, if there are several


@dataclass(frozen=True, slots=True)
class Regression:
    """The flips that decide a regression gate, and their significance. Aliases are the keys in records."""

    baseline: str  # the baseline's model and date
    p: float  # exact two-sided p-value
    # correct only in the baseline, the most confident errors first
    regressed: Annotated[tuple[Flip, ...], Field(alias="broken")]
    # correct only in the later run
    fixed: Annotated[tuple[Flip, ...], Field(alias="mended")]
    not_compared: tuple[str, ...] = ()  # how many samples were not compared, and why
    warnings: tuple[str, ...] = ()  # caveats for readers
    p_adjusted: float | None = None  # by Holm's method over all regression gates, once the run is complete
    test: str = MCNEMAR  # the test that gave p
    unchanged: bool = False  # translations and judge are identical in both runs

    @property
    def note(self) -> str:
        """Shown next to the number."""
        adjusted = (
            f", Holm-adjusted {p_text(self.p_adjusted)}"
            if self.p_adjusted is not None
            else " (Holm-adjusted at the end of the run)"
        )
        parts = [
            f"{len(self.regressed)} regressed, {len(self.fixed)} fixed since {self.baseline}",
            UNCHANGED if self.unchanged else f"{self.test} {p_text(self.p)}{adjusted}",
            *(f"not compared: {text}" for text in self.not_compared),
            *self.warnings,
        ]
        return "; ".join(parts)


class _Regression(Metric):
    name = "regression"
    about = "accuracy in the baseline minus current accuracy, on samples that are decided in both (`--mt-baseline`)"
    higher_is_better = False
    counts_open = False
    needs_baseline = True
    sequential = True
    no_lower_bound = 'is a loss; write the largest allowed loss, as in "<= 0.02"'

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        if context.since is None or isinstance(context.since.results, str):
            return Estimated.nothing()
        return pair_up(context.since.results, context.tally.results, selector.concerns).loss

    def ratios(self, context: MetricContext, selector: Selector) -> dict[str, Ratio]:
        since, tally = context.since, context.tally
        if since is None or isinstance(since.results, str):
            return {}
        pairing = pair_up(since.results, tally.results, selector.concerns)
        places = {result.id: place for result, place in zip(tally.results, tally.clusters, strict=True)}
        losses = np.zeros(int(tally.clusters.max(initial=-1)) + 1)
        counts = np.zeros_like(losses)
        paired = [places[pair.after.id] for pair in pairing.pairs]
        np.add.at(losses, paired, pairing.before - pairing.after)
        np.add.at(counts, paired, 1.0)
        return {"": Ratio(losses, counts)}

    def sequence(self, ratios: Sequence[RatioSequence]) -> RatioSequence:
        """A sample that was wrong in the baseline and is right now is a gain."""
        return replace(ratios[0], lowest=-1.0)

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        return self.evaluate(context, selector, level).measure

    def evaluate(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Evaluation:
        since = context.since
        if since is None:
            return Evaluation(Measure.nothing(), "there is no baseline")
        if isinstance(since.results, str) and since.ambiguous:
            return Evaluation(Measure.nothing(), error=f"the baseline is ambiguous: {since.results}")
        if isinstance(since.results, str) and since.incomparable:
            return Evaluation(Measure.nothing(), error=f"not comparable with the baseline: {since.results}")
        if isinstance(since.results, str):
            return Evaluation(Measure.nothing(), f"not in the baseline: {since.results}")
        pairing = pair_up(since.results, context.tally.results, selector.concerns)
        regression = regression_of(pairing, since)
        measure = noted(pairing.measure(level, same_judge=since.same_judge), regression)
        reason = f"no sample can be compared: {measure.note}" if measure.value is None else ""
        return Evaluation(measure, reason, regression, undecided=pairing.shortage)


def p_text(p: float) -> str:
    """`p = 0.0123`, or an upper limit for very small ones."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def regression_of(pairing: Pairing, since: Since) -> Regression:
    """The flips since the baseline."""
    test = pairing.test
    return Regression(
        since.name,
        test.p,
        tuple(_flip(pair) for pair in pairing.regressed),
        tuple(_flip(pair) for pair in pairing.fixed),
        tuple(f"{count:,} {reason}" for reason, count in pairing.left_out.items()),
        tuple(since.warnings),
        test=test.name,
        unchanged=since.same_judge and pairing.identical,
    )


def _flip(pair: Pair) -> Flip:
    before, after = pair.before, pair.after
    return Flip(after.id, before.verdict.outcome.value, before.translation, after.repeat)


def adjusted(regressions: Sequence[Regression]) -> list[Regression]:
    """All gates on regression of a run, with their p adjusted for their number."""
    values = holm([regression.p for regression in regressions])
    return [
        replace(regression, p_adjusted=value) for regression, value in zip(regressions, values, strict=True)
    ]


def noted(measure: Measure, regression: Regression) -> Measure:
    """The measure with the regression's note."""
    return replace(measure, note=regression.note)


REGRESSION = _Regression()
