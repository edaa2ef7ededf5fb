"""The distribution of occurrences over classes in each version of a corpus, and the flows between versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.authoring.corpus.matching import Classes, Pattern
from mtprobe.statistics.clustered import Ratio, difference
from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.measure import Estimated, Measure

OTHER = "other"

ClassOf = Callable[[int, Classes], str | None]
"""The name of an item's class in one target side; None if the item is not counted."""


_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Flow:
    """How many occurrences move from one class to another in the next version."""

    start: str
    end: str
    count: int


@dataclass(frozen=True, slots=True)
class Redistribution:
    """Versions in order: the reference, a teacher's translation, a student's."""

    versions: tuple[str, ...]
    classes: tuple[str, ...]
    n: int  # occurrences
    items: int  # with at least one
    shares: tuple[dict[str, Measure], ...]  # per version
    changes: tuple[dict[str, Measure], ...]  # from each version to the next
    flows: tuple[tuple[Flow, ...], ...]  # from each version to the next


def redistribution(
    patterns: Counter[Pattern],
    class_of: ClassOf,
    classes: Sequence[str],
    versions: Sequence[str],
) -> Redistribution:
    """Every occurrence counts once per version. Occurrences of one item are not independent."""
    counts: Counter[tuple[int, tuple[str, ...]]] = Counter()
    for (item, sides), count in patterns.items():
        classed = [name for side in sides if (name := class_of(item, side)) is not None]
        if len(classed) == len(sides):
            counts[item, tuple(classed)] += count
    items = sorted({item for item, _ in counts})
    place = {item: at for at, item in enumerate(items)}
    table = np.zeros((len(versions), len(classes), len(items)))
    for (item, path), count in counts.items():
        for version, name in enumerate(path):
            table[version, classes.index(name), place[item]] += count
    totals = table[0].sum(axis=0) if len(items) else np.zeros(0)
    return Redistribution(
        versions=tuple(versions),
        classes=tuple(classes),
        n=int(totals.sum()),
        items=len(items),
        shares=tuple(_shares(table[version], totals, classes) for version in range(len(versions))),
        changes=tuple(
            _changes(table[version], table[version + 1], totals, classes)
            for version in range(len(versions) - 1)
        ),
        flows=tuple(_flows(counts, step, classes) for step in range(len(versions) - 1)),
    )


def _shares(table: Floats, totals: Floats, classes: Sequence[str]) -> dict[str, Measure]:
    n = int(totals.sum())
    if not n:
        return {name: Measure.nothing() for name in classes}
    return {
        name: Estimated(Ratio(row, totals).share, n).at(_LEVEL)
        for name, row in zip(classes, table, strict=True)
    }


def _changes(before: Floats, after: Floats, totals: Floats, classes: Sequence[str]) -> dict[str, Measure]:
    n = int(totals.sum())
    if not n:
        return {name: Measure(None, -1.0, 1.0, 0) for name in classes}
    return {
        name: Estimated(difference(Ratio(new, totals), Ratio(old, totals)), n).at(_LEVEL)
        for name, old, new in zip(classes, before, after, strict=True)
    }


def _flows(
    counts: Counter[tuple[int, tuple[str, ...]]], step: int, classes: Sequence[str]
) -> tuple[Flow, ...]:
    moves: Counter[tuple[str, str]] = Counter()
    for (_, path), count in counts.items():
        moves[path[step], path[step + 1]] += count
    return tuple(
        Flow(start, end, moves[start, end]) for start in classes for end in classes if moves[start, end]
    )
