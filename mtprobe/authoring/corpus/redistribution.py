"""How occurrences fall into classes in each version of a corpus, and how they move from one version to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.authoring.corpus.matching import Found, Pattern
from mtprobe.statistics.intervals import Floats, cluster_difference, cluster_ratio
from mtprobe.statistics.measure import Measure

OTHER = "other"

ClassOf = Callable[[int, Found], str | None]
"""The class of what was found for an item; None where the item does not count."""


@dataclass(frozen=True, slots=True)
class Flow:
    """How many occurrences are in one class here and in another in the next version."""

    start: str
    end: str
    count: int


@dataclass(frozen=True, slots=True)
class Redistribution:
    """Versions in order: the reference, what a teacher made of it, what a student made of it."""

    versions: tuple[str, ...]
    classes: tuple[str, ...]
    n: int  # occurrences
    items: int  # with at least one
    shares: tuple[dict[str, Measure], ...]  # a version each; items are resampled
    changes: tuple[dict[str, Measure], ...]  # from each version to the next
    flows: tuple[tuple[Flow, ...], ...]  # the same


def redistribution(
    patterns: Counter[Pattern],
    class_of: ClassOf,
    classes: Sequence[str],
    versions: Sequence[str],
    seed: int = 0,
) -> Redistribution:
    """Every occurrence counts once in every version. Occurrences of one item are not independent of each other."""
    counts: Counter[tuple[int, tuple[str, ...]]] = Counter()
    for (item, found), count in patterns.items():
        classed = [name for one in found if (name := class_of(item, one)) is not None]
        if len(classed) == len(found):
            counts[item, tuple(classed)] += count
    items = sorted({item for item, _ in counts})
    place = {item: at for at, item in enumerate(items)}
    table = np.zeros((len(versions), len(classes), len(items)))
    for (item, way), count in counts.items():
        for version, name in enumerate(way):
            table[version, classes.index(name), place[item]] += count
    totals = table[0].sum(axis=0) if len(items) else np.zeros(0)
    return Redistribution(
        versions=tuple(versions),
        classes=tuple(classes),
        n=int(totals.sum()),
        items=len(items),
        shares=tuple(_shares(table[version], totals, classes, seed) for version in range(len(versions))),
        changes=tuple(
            _changes(table[version], table[version + 1], totals, classes, seed)
            for version in range(len(versions) - 1)
        ),
        flows=tuple(_flows(counts, step, classes) for step in range(len(versions) - 1)),
    )


def _shares(table: Floats, totals: Floats, classes: Sequence[str], seed: int) -> dict[str, Measure]:
    n = int(totals.sum())
    if not n:
        return {name: Measure.nothing() for name in classes}
    return {
        name: Measure(float(row.sum() / n), *cluster_ratio(row, totals, seed), n)
        for name, row in zip(classes, table, strict=True)
    }


def _changes(
    before: Floats, after: Floats, totals: Floats, classes: Sequence[str], seed: int
) -> dict[str, Measure]:
    n = int(totals.sum())
    if not n:
        return {name: Measure(None, -1.0, 1.0, 0) for name in classes}
    return {
        name: Measure(
            float((new.sum() - old.sum()) / n), *cluster_difference((new, totals), (old, totals), seed), n
        )
        for name, old, new in zip(classes, before, after, strict=True)
    }


def _flows(
    counts: Counter[tuple[int, tuple[str, ...]]], step: int, classes: Sequence[str]
) -> tuple[Flow, ...]:
    moves: Counter[tuple[str, str]] = Counter()
    for (_, way), count in counts.items():
        moves[way[step], way[step + 1]] += count
    return tuple(
        Flow(start, end, moves[start, end]) for start in classes for end in classes if moves[start, end]
    )
