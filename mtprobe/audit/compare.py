"""Compares verdicts with the truth, category by category.

The question is whether the verdicts on this suite's words are right, not what they would be on other words. So samples
count as independent here, whatever their clusters: labels are drawn sample by sample, and a suite about a single word
can be audited as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.audit.fitness import CategoryFitness, fitness_of
from mtprobe.audit.truth import Truth, answer_of
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.statistics.agreement import proportion
from mtprobe.statistics.clustered import equal_weights
from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.statistics.measure import Measure
from mtprobe.statistics.paired import paired_interval

_LEVEL = 0.95


def compare(results: Sequence[Result], categories: Sequence[str], truth: Truth) -> Iterator[CategoryFitness]:
    """One comparison per category with decided samples; in an open category one per choice, or for one of two."""
    groups: dict[tuple[str | None, tuple[str, ...]], list[Result]] = {}
    for result in results:
        if answer_of(result) is not None:
            groups.setdefault((result.category, result.choices), []).append(result)
    order = {name: place for place, name in enumerate(categories)}
    for category, choices in sorted(groups, key=lambda group: order.get(group[0] or "", len(order))):
        for choice in choices[: 1 if len(choices) == 2 else None] or ("",):  # the other share is the rest
            yield _comparison(category, choice, groups[category, choices], truth)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Samples with two answers: is each the one in question?"""

    judged: Mask
    true: Mask
    weights: Floats | None = None

    @property
    def n(self) -> int:
        return len(self.judged)

    def share(self, counted: Mask) -> Measure:
        each = [str(number) for number in range(self.n)]
        return proportion(counted, np.ones(self.n, dtype=bool), each, self.weights, _LEVEL)

    @property
    def bias(self) -> Measure:
        """The share by the verdicts minus the share by the truth."""
        judged, true = self.judged, self.true
        weights = np.ones(self.n) if self.weights is None else self.weights
        cells = (judged & true, judged & ~true, ~judged & true, ~judged & ~true)
        counts = [
            float(weights[cell].sum()) * equal_weights(weights) / float(weights.sum()) for cell in cells
        ]
        _, too_good, too_bad, _ = counts
        return Measure((too_good - too_bad) / sum(counts), *paired_interval(counts, _LEVEL), self.n)


def _comparison(
    category: str | None, choice: str, decided: Sequence[Result], truth: Truth
) -> CategoryFitness:
    wanted = choice or Outcome.CORRECT.value
    compared = [result for result in decided if result.id in truth.answers]
    if not compared:
        nothing = Measure.nothing("no sample that both decided")
        return CategoryFitness(
            category, fitness_of(nothing), truth.source, nothing, nothing, nothing, nothing, choice, 0.0
        )
    weights = truth.weights
    pairs = Pairs(
        np.array([answer_of(result) == wanted for result in compared], dtype=bool),
        np.array([truth.answers[result.id] == wanted for result in compared], dtype=bool),
        None if weights is None else np.array([weights[result.id] for result in compared], np.float64),
    )
    covered = len(compared) / sum(result.id in truth.asked for result in decided)
    return CategoryFitness(
        category=category,
        fitness=fitness_of(pairs.bias, covered),
        source=truth.source,
        reported=pairs.share(pairs.judged),
        truth=pairs.share(pairs.true),
        bias=pairs.bias,
        agreement=pairs.share(pairs.judged == pairs.true),
        choice=choice,
        covered=covered,
    )
