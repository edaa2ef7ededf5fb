"""Decides gates before all samples of a suite are processed, with limits that are valid for any stopping rule.

A gate without a level is decided for the value that all samples would give, at 95 %. One with a level is about other samples too:
the limits of that value are moved outwards by as much as the interval of the samples so far reaches from its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mtprobe.gates.judge import Decision, GateResult
from mtprobe.gates.parse import Bound, Gate
from mtprobe.methods.verdict import Result
from mtprobe.metrics import Measure, MetricContext, tally
from mtprobe.statistics.clustered import Ratio
from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.sequential import ConfidenceSequence, RatioSequence, limits

_LEVEL = 0.95
_SPENT = 0.2  # of the risk of a gate with a level: the rest of it is that of the interval of all samples


@dataclass(frozen=True, slots=True)
class _Reach:
    """How far the interval of the samples so far reaches to either side; not at all for a gate without a level."""

    below: float
    above: float

    @classmethod
    def of(cls, bound: Bound, measure: Measure) -> _Reach:
        if bound.level is None or measure.value is None:
            return cls(0.0, 0.0)
        return cls(max(0.0, measure.value - measure.low), max(0.0, measure.high - measure.value))


def decide_early(bound: Bound, measure: Measure, sequence: ConfidenceSequence) -> Decision:
    """On some samples, in random order, and what they show about all; `measure` is that of these samples."""
    reach, risk = _Reach.of(bound, measure), _risk(bound)
    over = sequence.shows_more(bound.value + reach.below, risk)
    under = sequence.shows_less(bound.value - reach.above, risk)
    if over == under:
        return Decision.UNDECIDED
    return Decision.PASSED if over == bound.wants_more else Decision.FAILED


class Population:
    """All samples of a suite, in the order in which they are asked."""

    def __init__(self, results: Sequence[Result]) -> None:
        """A result for each sample, as if all of them had been decided."""
        every = tally(results)
        self.places = {result.id: place for place, result in enumerate(results)}
        self.tally = replace(every, clusters=np.arange(every.n))


class Early:
    """What became of the first samples of a population, and what that shows about all."""

    def __init__(self, context: MetricContext, population: Population, undecided: str | None = None) -> None:
        """`undecided` says why no more samples are asked; None: there are more to come."""
        self._undecided = undecided
        asked = np.array([population.places[result.id] for result in context.tally.results], dtype=np.intp)
        self._asked = int(asked.max(initial=-1)) + 1
        self._so_far = replace(context, tally=replace(context.tally, clusters=asked))
        self._all = replace(context, tally=population.tally)

    def decided(self, gate: Gate, result: GateResult) -> GateResult:
        """With its decision; if no more samples are asked, also with the limits that it was decided on.

        What more samples cannot change stays as it is.
        """
        if result.decision is Decision.ERROR or not gate.metric.of_samples:
            return result
        sequence = self._sequence(gate) if result.measure.value is not None else None
        result = self._decide(gate, result, sequence)
        if self._undecided is None:
            return result
        if result.decision is Decision.UNDECIDED and not result.reason:
            result = replace(result, reason=self._undecided)
        return self._with_limits(gate, result, sequence) if sequence else result

    def _decide(self, gate: Gate, result: GateResult, sequence: ConfidenceSequence | None) -> GateResult:
        """Passed, failed, or not decided yet."""
        if sequence is None:
            return replace(result, decision=Decision.UNDECIDED, reason="", n_to_decide=None)
        decision = decide_early(gate.bound, result.measure, sequence)
        if decision is Decision.PASSED and result.decision is Decision.UNDECIDED and result.reason:
            decision = Decision.UNDECIDED  # the metric says that its value may not pass
        return replace(result, decision=decision, n_to_decide=None)

    def _with_limits(self, gate: Gate, result: GateResult, sequence: ConfidenceSequence) -> GateResult:
        """With the limits that it was decided on in place of its interval, which holds for no moment that was chosen."""
        reach, bound = _Reach.of(gate.bound, result.measure), gate.bound.value
        low, high = limits(sequence, _risk(gate.bound))
        low, high = max(sequence.lowest, low - reach.below), min(sequence.highest, high + reach.above)
        if result.decision in (Decision.PASSED, Decision.FAILED):  # limits are found in steps
            above = (result.decision is Decision.PASSED) == gate.bound.wants_more
            low, high = (max(low, bound), high) if above else (low, min(high, bound))
        return replace(result, measure=replace(result.measure, low=low, high=high))

    def _sequence(self, gate: Gate) -> ConfidenceSequence | None:
        """None where nothing can count."""
        if not gate.metric.sequential:
            return None
        so_far = gate.metric.ratios(self._so_far, gate.selector)
        everything = gate.metric.ratios(self._all, gate.selector)
        sequences = [
            RatioSequence(
                self._padded(so_far.get(group), "numerators"),
                self._padded(so_far.get(group), "denominators"),
                ratio.denominators,
            )
            for group, ratio in everything.items()
            if ratio.denominators.any()
        ]
        return gate.metric.sequence(sequences) if sequences else None

    def _padded(self, ratio: Ratio | None, side: str) -> Floats:
        """One number for each sample that was asked."""
        values = np.zeros(self._asked)
        if ratio is not None:
            given = getattr(ratio, side)
            values[: len(given)] = given
        return values


def _risk(bound: Bound) -> float:
    """Of each wrong decision."""
    risk = (1 - (bound.level or _LEVEL)) / 2
    return risk if bound.level is None else risk * _SPENT
