"""Accuracy by the values of an attribute, and which kind of target a model prefers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mtprobe.methods import method_named
from mtprobe.methods.verdict import REFERENCE, TRANSLATION, Result
from mtprobe.metrics import Measure, share, tally
from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.gap import clearly_lowest
from mtprobe.metrics.tally import Tally
from mtprobe.records import SuiteRun

_MOST_VALUES = 12  # an attribute with more values is a name, not a grouping


@dataclass(frozen=True, slots=True)
class Breakdown:
    """One attribute, with a measure for each of its values."""

    attribute: str
    rows: tuple[tuple[str, Measure], ...]
    lowest: str | None = None  # the value whose accuracy is clearly the lowest


def by_attribute(suite: SuiteRun) -> list[Breakdown]:
    """For each attribute with two to twelve values that have decided samples."""
    judged = tally(
        [result for result in suite.results if not result.choices and not result.is_control], suite.seed
    )
    values: dict[str, set[str]] = {}
    for result in judged.results:
        for name, value in result.attributes.items():
            values.setdefault(name, set()).add(str(value))
    few = sorted(name for name, distinct in values.items() if 2 <= len(distinct) <= _MOST_VALUES)
    return [table for name in few if len((table := _table(judged, name)).rows) > 1]


def _table(judged: Tally, name: str) -> Breakdown:
    masks = judged.values_of(name)
    accuracies = [(value, accuracy(judged, masks[value])) for value in sorted(masks, key=_in_order)]
    rows = tuple((value, measure) for value, measure in accuracies if measure.n)
    return Breakdown(name, rows, clearly_lowest(judged, name))


def _in_order(value: str) -> tuple[float, str]:
    try:
        return float(value), ""
    except ValueError:
        return 0.0, value


def preferences(suite: SuiteRun) -> list[Breakdown]:
    """How often a target of each kind is the likeliest of its sample, among the samples that offer one."""
    counted = tally(suite.results, suite.seed, suite.variants)
    tables = (Breakdown(name, tuple(_preferred(counted, name))) for name in variants_in(suite))
    return [table for table in tables if len(table.rows) > 1]


def variants_in(suite: SuiteRun) -> list[str]:
    """The attributes of given targets that were scored. Those of other evidence are facts about an answer or a word."""
    method = method_named(suite.method)
    if method is None or method.judges == "translations":
        return []
    return list(
        dict.fromkeys(
            name
            for result in suite.results
            for item in result.verdict.evidence
            if item.side != TRANSLATION and item.score is not None
            for name in item.attributes
        )
    )


def _preferred(counted: Tally, name: str) -> Iterator[tuple[str, Measure]]:
    offered = [_offers(result, name) for result in counted.results]
    values = {value: None for targets in offered for value, _ in targets}
    scale = [str(value) for value in counted.variants.get(name, ())]
    for value in sorted(values, key=lambda name: (scale.index(name) if name in scale else len(scale), name)):
        inside = np.array([any(kind == value for kind, _ in targets) for targets in offered])
        chosen = np.array([any(kind == value and best for kind, best in targets) for targets in offered])
        yield value, share(counted, chosen, inside)


def _offers(result: Result, name: str) -> list[tuple[str, bool]]:
    """The kinds of a sample's targets, and which is the likeliest; empty if none stands out."""
    targets = [
        (str(item.attributes[name]), item.score)
        for item in result.verdict.evidence
        if item.side not in (TRANSLATION, REFERENCE) and item.score is not None and name in item.attributes
    ]
    best = max((score for _, score in targets), default=0.0)
    if len({value for value, _ in targets}) < 2 or sum(score == best for _, score in targets) > 1:
        return []
    return [(value, score == best) for value, score in targets]
