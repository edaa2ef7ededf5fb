"""A suite's results as columns, built once; metrics are sums over them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.statistics.clustered import Ratio, equal_weights
from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.statistics.ranks import average_ranks
from mtprobe.suite.sample import Scalar

# A degenerate output has no score. It is as wrong as can be, so it counts among the most confident.
_SUREST = 0.5
_NO_VALUE = "\ufdd0"  # of an attribute: no character, so no value is written like it


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
    controls: Mask  # samples that must not raise an alarm: outside `decided`
    repeats: int = 1  # translations per sample
    _extremes: list[Tally] = field(default_factory=list, repr=False, compare=False)  # once they are asked for
    _columns: dict[Hashable, NDArray[Any]] = field(
        default_factory=dict, repr=False, compare=False
    )  # likewise
    _made_from: _Mixture | _Drawn | None = field(default=None, repr=False, compare=False)

    @property
    def n(self) -> int:
        return len(self.results)

    @property
    def unit(self) -> str:
        """The name for rows: samples or repeats."""
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
        if not any(self.withheld & self.answered):
            return ()
        return self._assumed

    @property
    def _assumed(self) -> Sequence[Tally]:
        if not self._extremes and self._made_from is not None:
            self._extremes.extend(self._made_from.assumed())
        elif not self._extremes:
            self._extremes.extend(self.assuming(np.full(self.n, right)) for right in (False, True))
        return self._extremes

    @property
    def answered(self) -> Mask:
        """The samples to which an answer is right or wrong, without controls."""
        return self.column("answered", lambda result: not result.choices and not result.is_control, bool)

    def column(self, name: Hashable, value: Callable[[Result], object], dtype: type) -> NDArray[Any]:
        """A value of each result, computed once; that of a tally made from others comes from these. Read-only."""
        if name not in self._columns:
            if self._made_from is not None:
                made = self._made_from.column(name, value, dtype)
            else:
                made = np.array([value(result) for result in self.results], dtype=dtype)
            made.flags.writeable = False
            self._columns[name] = made
        return self._columns[name]

    def assuming(self, right: Mask) -> Tally:
        """The withheld verdicts decided: correct where the mask says so, otherwise incorrect."""
        results = list(self.results)
        for index in np.flatnonzero(self.withheld & self.answered):
            outcome = Outcome.CORRECT if right[index] else Outcome.INCORRECT
            results[index] = replace(results[index], verdict=replace(results[index].verdict, outcome=outcome))
        return tally(results, self.seed, self.variants)

    def values_of(self, attribute: str | None) -> dict[str, Mask]:
        """The samples by the values of an attribute, or by category if none is given."""
        column = self.column(("values of", attribute), partial(_value, attribute), str)
        return {str(value): column == value for value in sorted(set(column.tolist())) if value != _NO_VALUE}

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


def _value(attribute: str | None, result: Result) -> str:
    value = result.category if attribute is None else result.attributes.get(attribute)
    return _NO_VALUE if value is None else str(value)


@dataclass(frozen=True, slots=True)
class _Mixture:
    first: Tally
    second: Tally
    mask: Mask

    def column(self, name: Hashable, value: Callable[[Result], object], dtype: type) -> NDArray[Any]:
        first, second = (part.column(name, value, dtype) for part in (self.first, self.second))
        return np.where(self.mask, second, first)

    def assumed(self) -> Iterator[Tally]:
        for first, second in zip(self.first._assumed, self.second._assumed, strict=True):
            yield mixed(first, second, self.mask)


@dataclass(frozen=True, slots=True)
class _Drawn:
    source: Tally
    places: NDArray[np.intp]
    clusters: NDArray[np.intp]

    def column(self, name: Hashable, value: Callable[[Result], object], dtype: type) -> NDArray[Any]:
        drawn: NDArray[Any] = self.source.column(name, value, dtype)[self.places]
        return drawn

    def assumed(self) -> Iterator[Tally]:
        for source in self.source._assumed:
            yield drawn(source, self.places, self.clusters)


def mixed(first: Tally, second: Tally, mask: Mask) -> Tally:
    """The masked rows of the second tally and the other rows of the first: the same samples in the same order."""
    if first.n != second.n or first.repeats != 1 or second.repeats != 1:
        raise ValueError("only tallies of the same samples, each translated once, can be mixed")
    pairs = zip(first.results, second.results, mask.tolist(), strict=True)
    made = Tally(
        results=[theirs if masked else ours for ours, theirs, masked in pairs],
        outcomes=np.where(mask, second.outcomes, first.outcomes),
        decided=np.where(mask, second.decided, first.decided),
        correct=np.where(mask, second.correct, first.correct),
        weights=np.zeros(first.n),
        clusters=first.clusters,
        labels=np.where(mask, second.labels, first.labels),
        drawn=np.where(mask, second.drawn, first.drawn),
        seed=first.seed,
        variants=first.variants,
        withheld=np.where(mask, second.withheld, first.withheld),
        controls=first.controls,
        _made_from=_Mixture(first, second, mask),
    )
    return _weighted(made)


def drawn(source: Tally, places: NDArray[np.intp], clusters: NDArray[np.intp]) -> Tally:
    """The rows at these places, some perhaps repeatedly, each with its cluster: another suite of such samples."""
    if source.repeats != 1:
        raise ValueError("only a tally of samples that were translated once can be drawn from")
    results = source.results
    made = Tally(
        results=[results[place] for place in places.tolist()],
        outcomes=source.outcomes[places],
        decided=source.decided[places],
        correct=source.correct[places],
        weights=np.zeros(len(places)),
        clusters=clusters,
        labels=source.labels[places],
        drawn=source.drawn[places],
        seed=source.seed,
        variants=source.variants,
        withheld=source.withheld[places],
        controls=source.controls[places],
        _made_from=_Drawn(source, places, clusters),
    )
    return _weighted(made)


def tally(
    results: Sequence[Result], seed: int = 0, variants: Mapping[str, Sequence[Scalar]] | None = None
) -> Tally:
    """The results as columns, without errors (unjudged samples)."""
    judged = [result for result in results if result.verdict.outcome is not Outcome.ERROR]
    outcomes = np.array([result.verdict.outcome.value for result in judged], dtype=str)
    answered = np.array([not result.choices for result in judged], dtype=bool)
    controls = np.array([result.is_control for result in judged], dtype=bool)
    decided = (
        np.isin(outcomes, [Outcome.CORRECT, Outcome.INCORRECT, Outcome.DEGENERATE]) & answered & ~controls
    )
    _, clusters = np.unique([result.cluster for result in judged] or np.array([], str), return_inverse=True)
    made = Tally(
        results=judged,
        outcomes=outcomes,
        decided=decided,
        correct=outcomes == Outcome.CORRECT,
        weights=np.zeros(len(judged)),
        clusters=clusters,
        labels=np.array([result.label for result in judged], dtype=str),
        drawn=np.array([1 / result.drawn if result.drawn else 0.0 for result in judged], dtype=np.float64),
        seed=seed,
        variants=variants or {},
        withheld=np.array([result.verdict.withheld for result in judged], dtype=bool),
        controls=controls,
        repeats=len({result.repeat for result in results}) or 1,
    )
    return _weighted(made)


def _weighted(made: Tally) -> Tally:
    """With the weights that its confidences give the decided rows."""
    decided = made.decided
    confidences, groups = made.column(*_CONFIDENCE), made.column(*_RANKED_WITH)
    made.weights[decided] = _weights(confidences[decided], groups[decided])
    return made


def answered(categories: Sequence[str], results: Iterable[Result]) -> tuple[str, ...]:
    """The categories in which an answer is right or wrong; samples of open categories have choices instead."""
    open_categories = {result.category for result in results if result.choices}
    return tuple(category for category in categories if category not in open_categories)


def _weights(confidences: Floats, groups: NDArray[np.str_]) -> Floats:
    """The weights of contrastive conditioning: in a group of n, the most confident sample weighs n, the least 1.

    Equal confidences share the average of their weights, so order does not matter.
    """
    weights = np.zeros(len(confidences))
    for group in np.unique(groups):
        inside = groups == group
        weights[inside] = average_ranks(confidences[inside])
    return weights


def _ranked_with(result: Result) -> str:
    """Ranks are those within a category, and within a repeat: further translations do not change them."""
    return f"{result.repeat} {result.category or ''}"


def _confidence(result: Result) -> float:
    if result.verdict.outcome is Outcome.DEGENERATE:
        return _SUREST
    return result.verdict.confidence or 0.0


_CONFIDENCE = ("confidence", _confidence, float)
_RANKED_WITH = ("ranked with", _ranked_with, str)
