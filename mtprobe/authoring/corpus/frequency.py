"""The most frequent class of each item (a word's most frequent sense, an occupation's usual gender), and files of them.

A suite can name these files; suites themselves are never changed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from mtprobe import __version__
from mtprobe.authoring.corpus.matching import Inventory, Pattern
from mtprobe.statistics.intervals import exact
from mtprobe.statistics.measure import Measure
from mtprobe.system.atomic import write_text

FREQUENT, RARE = "frequent", "rare"


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
        return Measure(first / (first + second), *exact(first, first + second), first + second)

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


def sense_categories(counts: Sequence[ItemCounts], sure: bool) -> dict[str, dict[str, str]]:
    """Each word's senses: the most frequent is `frequent`, the others `rare`. Words without a winner are omitted."""
    return {
        word.name: {sense: FREQUENT if sense == first else RARE for sense in word.classes}
        for word in counts
        if (first := word.most_frequent(sure)) is not None
    }


def write_frequencies(
    path: Path,
    language: str,
    inventory: Inventory,
    counts: Sequence[ItemCounts],
    categories: Mapping[str, Mapping[str, str]],
    made_from: Mapping[str, Any],
) -> None:
    """JSON in the layout of MuCoW's published frequencies, plus the counts; `frequencies` of `data` reads it."""
    lemmas = {item.name: item.classes for item in inventory.items}
    pairs: dict[str, list[list[str]]] = {FREQUENT: [], RARE: []}
    for word, senses in categories.items():
        for sense, category in senses.items():
            pairs[category].extend([word, lemma] for lemma in lemmas[word][sense])
    document = {
        "made_by": {"mtprobe": __version__, **made_from},
        "frequent_word_senses": {language: pairs[FREQUENT]},
        "infrequent_word_senses": {language: pairs[RARE]},
        "counts": {
            word.name: {"occurrences": word.occurrences, "senses": word.classes, "none": word.none}
            for word in counts
        },
    }
    write_text(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def write_occupations(
    path: Path, counts: Sequence[ItemCounts], sure: bool, made_from: Mapping[str, Any]
) -> None:
    """YAML that a slot's `file` reads: each occupation with its most frequent gender and its occurrences."""
    present = [item for item in counts if item.occurrences]
    middle = median(item.occurrences for item in present) if present else 0
    values = {}
    for item in present:
        typical = item.most_frequent(sure)
        values[item.name] = {
            **({"typical": typical} if typical else {}),
            "frequency": FREQUENT if item.occurrences >= middle else RARE,
            "occurrences": item.occurrences,
        }
    facts = ", ".join(f"{key}: {value}" for key, value in made_from.items())
    head = f"# Made by mtprobe {__version__} genders ({' '.join(facts.split())}).\n"
    write_text(path, head + yaml.safe_dump(values, sort_keys=False, allow_unicode=True))
