"""Which class of each item is the most frequent: the most frequent sense of a word, the usual gender of an occupation."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from mtprobe.authoring.corpus.inventory import Inventory
from mtprobe.authoring.corpus.matching import Pattern
from mtprobe.statistics.intervals import wilson
from mtprobe.statistics.measure import Measure


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """What became of one item in one version of a corpus."""

    name: str
    occurrences: int  # pairs with the item in the source
    classes: dict[
        str, int
    ]  # pairs with the class in the target; with several classes found, for each of them
    unclear: int  # pairs with several classes
    none: int  # pairs with no class

    @property
    def ranked(self) -> list[str]:
        return sorted(self.classes, key=lambda name: -self.classes[name])

    @property
    def lead(self) -> Measure:
        """The most frequent class against the second, as a share of the two; nothing where neither was found."""
        first, second, *_ = (self.classes[name] for name in self.ranked)
        if not first:
            return Measure.nothing()
        return Measure(first / (first + second), *wilson(first, first + second), first + second)

    def most_frequent(self, sure: bool = False) -> str | None:
        """The class that stands more often than any other; None when two share that place.

        With `sure`, only when the 95 % interval of its lead over the second says so.
        """
        lead = self.lead
        if lead.value is None or lead.value <= 0.5 or (sure and lead.low <= 0.5):
            return None
        return self.ranked[0]


def item_counts(inventory: Inventory, patterns: Counter[Pattern], version: int) -> list[ItemCounts]:
    """The counts of every item, those that were not found included, in the inventory's order."""
    found: list[Counter[int]] = [Counter() for _ in inventory.items]
    occurrences, unclear, none = ([0] * len(inventory.items) for _ in range(3))
    for (item, sides), count in patterns.items():
        classes = sides[version]
        occurrences[item] += count
        unclear[item] += count * (len(classes) > 1)
        none[item] += count * (not classes)
        for place in classes:
            found[item][place] += count
    return [
        ItemCounts(
            name=item.name,
            occurrences=occurrences[number],
            classes={name: found[number][place] for place, name in enumerate(item.classes)},
            unclear=unclear[number],
            none=none[number],
        )
        for number, item in enumerate(inventory.items)
    ]
