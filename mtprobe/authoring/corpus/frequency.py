"""The most frequent class of each item: a word's most frequent sense, an occupation's usual gender."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from mtprobe.authoring.corpus.inventory import Inventory
from mtprobe.authoring.corpus.matching import Pattern
from mtprobe.statistics.intervals import wilson
from mtprobe.statistics.measure import Measure


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """How often one item falls into each class in one version of a corpus."""

    name: str
    occurrences: int  # pairs with the item in the source
    classes: dict[str, int]  # pairs with the class in the target; a pair with several counts for each
    unclear: int  # pairs with several classes
    none: int  # pairs with no class

    @property
    def ranked(self) -> list[str]:
        return sorted(self.classes, key=lambda name: -self.classes[name])

    @property
    def lead(self) -> Measure:
        """The most frequent class as a share of it and the second; nothing if neither occurs."""
        first, second, *_ = (self.classes[name] for name in self.ranked)
        if not first:
            return Measure.nothing()
        return Measure(first / (first + second), *wilson(first, first + second), first + second)

    def most_frequent(self, sure: bool = False) -> str | None:
        """The class that occurs more often than any other; None if two are equally frequent.

        With `sure`, only if the 95 % interval of its lead over the second says so.
        """
        lead = self.lead
        if lead.value is None or lead.value <= 0.5 or (sure and lead.low <= 0.5):
            return None
        return self.ranked[0]


def item_counts(inventory: Inventory, patterns: Counter[Pattern], version: int) -> list[ItemCounts]:
    """The counts of every item, absent ones included, in the inventory's order."""
    by_class: list[Counter[int]] = [Counter() for _ in inventory.items]
    occurrences, unclear, none = ([0] * len(inventory.items) for _ in range(3))
    for (item, sides), count in patterns.items():
        classes = sides[version]
        occurrences[item] += count
        unclear[item] += count * (len(classes) > 1)
        none[item] += count * (not classes)
        for place in classes:
            by_class[item][place] += count
    return [
        ItemCounts(
            name=item.name,
            occurrences=occurrences[number],
            classes={name: by_class[number][place] for place, name in enumerate(item.classes)},
            unclear=unclear[number],
            none=none[number],
        )
        for number, item in enumerate(inventory.items)
    ]
