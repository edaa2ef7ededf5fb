"""Accuracy by the values of an attribute, and which kind of target a model prefers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mtprobe.methods.verdict import REFERENCE, TRANSLATION, Result
from mtprobe.metrics import Measure, tally
from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.tally import Tally
from mtprobe.records import SuiteRun
from mtprobe.statistics.intervals import cluster_ratio

_MOST_VALUES = 12  # with more of them an attribute is no grouping but a name


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A table: an attribute, and a measure for each of its values."""

    attribute: str
    rows: tuple[tuple[str, Measure], ...]
    lowest: str | None = None  # the value with the lowest accuracy


def by_attribute(suite: SuiteRun) -> list[Breakdown]:
    """Of each attribute with two to twelve values that have decided samples."""
    counted = tally([one for one in suite.results if not one.choices], suite.seed)
    values: dict[str, set[str]] = {}
    for result in counted.results:
        for name, value in result.attributes.items():
            values.setdefault(name, set()).add(str(value))
    few = sorted(name for name, held in values.items() if 2 <= len(held) <= _MOST_VALUES)
    return [table for name in few if len((table := _table(counted, name)).rows) > 1]


def _table(counted: Tally, name: str) -> Breakdown:
    masks = counted.values_of(name)
    found = [(value, accuracy(counted, masks[value])) for value in sorted(masks, key=_in_order)]
    rows = tuple((value, measure) for value, measure in found if measure.n)
    lowest = min(rows, key=lambda row: row[1].value or 0.0, default=(None, None))[0]
    return Breakdown(name, rows, lowest)


def _in_order(value: str) -> tuple[float, str]:
    try:
        return float(value), ""
    except ValueError:
        return 0.0, value


def preferences(suite: SuiteRun) -> list[Breakdown]:
    """How often a target of each kind is the likeliest of its sample, of all samples that offer one of this kind."""
    counted = tally(suite.results, suite.seed, suite.variants)
    names = {
        name: None for result in counted.results for one in result.verdict.evidence for name in one.attributes
    }
    found = (Breakdown(name, tuple(_preferred(counted, name))) for name in names)
    return [table for table in found if len(table.rows) > 1]


def _preferred(counted: Tally, name: str) -> Iterator[tuple[str, Measure]]:
    offered = [_offers(result, name) for result in counted.results]
    values = {value: None for targets in offered for value, _ in targets}
    scale = [str(value) for value in counted.variants.get(name, ())]
    for value in sorted(values, key=lambda one: (scale.index(one) if one in scale else len(scale), one)):
        inside = np.array([any(one == value for one, _ in targets) for targets in offered])
        chosen = np.array([any(one == value and best for one, best in targets) for targets in offered])
        n, hits = int(inside.sum()), int(chosen.sum())
        interval = cluster_ratio(
            counted.by_cluster(chosen.astype(np.float64), inside),
            counted.by_cluster(np.ones(counted.n), inside),
            counted.seed,
        )
        yield value, Measure(hits / n, *interval, n)


def _offers(result: Result, name: str) -> list[tuple[str, bool]]:
    """The kinds of a sample's targets, and which is the likeliest; none where they cannot be told apart."""
    targets = [
        (str(one.attributes[name]), one.score)
        for one in result.verdict.evidence
        if one.side not in (TRANSLATION, REFERENCE) and one.score is not None and name in one.attributes
    ]
    best = max((score for _, score in targets), default=0.0)
    if len({value for value, _ in targets}) < 2 or sum(score == best for _, score in targets) > 1:
        return []
    return [(value, score == best) for value, score in targets]
