"""A suite's results as columns, built once; metrics are sums over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.statistics.clustered import Ratio, equal_weights
from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.statistics.ranks import average_ranks
from mtprobe.suite.sample import Scalar

# A degenerate output has no score. It is as wrong as can be, so it counts among the most confident.
_SUREST = 0.5


@dataclass(frozen=True, slots=True)
class Tally:
    """The judged results as metrics need them; results with errors are excluded.

    Where sentences were translated repeatedly there is a row per translation, and each counts for its share of the
    sample: `ratio` and `by_cluster` are as large as with one translation per sample, and so are intervals. Repeats of a
    sample are no further samples.
    """

    results: Sequence[Result]
    outcomes: NDArray[np.str_]
    decided: Mask  # correct, incorrect or degenerate, where an answer is right: the denominator of accuracy
    correct: Mask
    weights: Floats
    clusters: NDArray[np.intp]
    labels: NDArray[np.str_]  # what people say; empty where nobody did
    drawn: Floats  # 1 / the probability of being drawn for labels; 0 where a sample was not
    seed: int
    variants: Mapping[str, Sequence[Scalar]]  # attributes of targets, each with its values in order
    withheld: Mask  # undecided because their margins are within the noise; open samples too
    repeats: int = 1  # translations per sample
    _extremes: list[Tally] = field(default_factory=list, repr=False, compare=False)  # once they are asked for

    @property
    def n(self) -> int:
        return len(self.results)

    @property
    def unit(self) -> str:
        """What the rows are."""
        return "samples" if self.repeats == 1 else "translations"

    def count(self, mask: Mask) -> int:
        """How many samples have a masked row."""
        if self.repeats == 1:
            return int(mask.sum())
        return len({self.results[int(index)].id for index in np.flatnonzero(mask)})

    @property
    def each_repeat(self) -> Iterator[Mask]:
        """The rows of each repeat."""
        numbers = np.array([result.repeat for result in self.results], dtype=np.intp)
        return (numbers == number for number in np.unique(numbers))

    @property
    def extremes(self) -> Sequence[Tally]:
        """With all withheld verdicts wrong, and with all of them right; none where no verdict is withheld."""
        if not self._extremes and any(self.withheld & self.answered):
            self._extremes.extend(self.assuming(np.full(self.n, right)) for right in (False, True))
        return self._extremes

    @property
    def answered(self) -> Mask:
        """The samples to which an answer is right or wrong."""
        return np.array([not result.choices for result in self.results], dtype=bool)

    def assuming(self, right: Mask) -> Tally:
        """The withheld verdicts decided: correct where the mask says so, otherwise incorrect."""
        results = list(self.results)
        for index in np.flatnonzero(self.withheld & self.answered):
            outcome = Outcome.CORRECT if right[index] else Outcome.INCORRECT
            results[index] = replace(results[index], verdict=replace(results[index].verdict, outcome=outcome))
        return tally(results, self.seed, self.variants)

    def values_of(self, attribute: str | None) -> dict[str, Mask]:
        """The samples by the values of an attribute, or by category if none is given."""
        values = [
            result.category if attribute is None else result.attributes.get(attribute)
            for result in self.results
        ]
        column = np.array(["" if value is None else str(value) for value in values], dtype=str)
        return {
            value: column == value for value in sorted({str(value) for value in values if value is not None})
        }

    def ratio(self, values: Floats | Mask, mask: Mask, weights: Floats | None = None) -> Ratio:
        """The mean of `values` over the masked samples, weighted if weights are given, as a ratio over clusters."""
        if weights is None:
            return Ratio(self.by_cluster(values, mask), self.by_cluster(np.ones(self.n), mask))
        return Ratio(
            self.by_cluster(weights * values, mask),
            self.by_cluster(weights, mask),
            equal_weights(weights[mask]) / self.repeats,
        )

    def by_cluster(self, values: Floats | Mask, mask: Mask) -> Floats:
        """Sums of `values` over the masked samples, one per cluster; of several translations the mean counts."""
        size = int(self.clusters.max()) + 1 if len(self.clusters) else 0
        sums = np.bincount(self.clusters[mask], weights=values[mask], minlength=size).astype(np.float64)
        return sums / self.repeats


def tally(
    results: Sequence[Result], seed: int = 0, variants: Mapping[str, Sequence[Scalar]] | None = None
) -> Tally:
    """Columns of the results, without those that could not be judged (errors)."""
    judged = [result for result in results if result.verdict.outcome is not Outcome.ERROR]
    outcomes = np.array([result.verdict.outcome.value for result in judged], dtype=str)
    answered = np.array([not result.choices for result in judged], dtype=bool)
    decided = np.isin(outcomes, [Outcome.CORRECT, Outcome.INCORRECT, Outcome.DEGENERATE]) & answered
    _, clusters = np.unique([result.cluster for result in judged] or np.array([], str), return_inverse=True)
    # Ranks are those within a category, and within a repeat: further translations do not change them.
    _, groups = np.unique(
        [f"{result.repeat} {result.category or ''}" for result in judged] or np.array([], str),
        return_inverse=True,
    )
    confidences = np.array([_confidence(result) for result in judged], dtype=np.float64)
    weights = np.zeros(len(judged))
    weights[decided] = _weights(confidences[decided], groups[decided])
    return Tally(
        results=judged,
        outcomes=outcomes,
        decided=decided,
        correct=outcomes == Outcome.CORRECT,
        weights=weights,
        clusters=clusters,
        labels=np.array([result.label for result in judged], dtype=str),
        drawn=np.array([1 / result.drawn if result.drawn else 0.0 for result in judged], dtype=np.float64),
        seed=seed,
        variants=variants or {},
        withheld=np.array([result.verdict.withheld for result in judged], dtype=bool),
        repeats=len({result.repeat for result in results}) or 1,
    )


def answered(categories: Sequence[str], results: Iterable[Result]) -> tuple[str, ...]:
    """The categories in which an answer is right or wrong; samples of an open one have choices."""
    open_categories = {result.category for result in results if result.choices}
    return tuple(category for category in categories if category not in open_categories)


def _weights(confidences: Floats, groups: NDArray[np.intp]) -> Floats:
    """Those of contrastive conditioning: in a group of n, the most confident sample weighs n, the least 1.

    Equal confidences share the average of their weights, so order does not matter.
    """
    weights = np.zeros(len(confidences))
    for group in np.unique(groups):
        inside = groups == group
        weights[inside] = average_ranks(confidences[inside])
    return weights


def _confidence(result: Result) -> float:
    if result.verdict.outcome is Outcome.DEGENERATE:
        return _SUREST
    return result.verdict.confidence or 0.0
