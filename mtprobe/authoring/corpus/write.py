"""What was counted, as files that a suite can name. No suite is ever written to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from mtprobe import __version__
from mtprobe.authoring.corpus.frequency import ItemCounts
from mtprobe.authoring.corpus.inventory import Inventory
from mtprobe.errors import MtprobeError
from mtprobe.system.atomic import write_text

FREQUENT, RARE = "frequent", "rare"


def sense_categories(counts: Sequence[ItemCounts], sure: bool) -> dict[str, dict[str, str]]:
    """Each word's senses, the most frequent one `frequent` and the others `rare`; words without a winner are left out."""
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
    """JSON in the layout of MuCoW's published frequencies, with the counts beside: `frequencies` of `data` reads it."""
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
    _write(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def write_occupations(
    path: Path, counts: Sequence[ItemCounts], sure: bool, made_from: Mapping[str, Any]
) -> None:
    """YAML that a slot's `file` reads: each occupation with the gender that it mostly has, and how often it stands."""
    seen = [one for one in counts if one.occurrences]
    middle = median(one.occurrences for one in seen) if seen else 0
    values = {}
    for one in seen:
        typical = one.most_frequent(sure)
        values[one.name] = {
            **({"typical": typical} if typical else {}),
            "frequency": FREQUENT if one.occurrences >= middle else RARE,
            "occurrences": one.occurrences,
        }
    facts = ", ".join(f"{key}: {value}" for key, value in made_from.items())
    head = f"# Made by mtprobe {__version__} genders ({' '.join(facts.split())}).\n"
    _write(path, head + yaml.safe_dump(values, sort_keys=False, allow_unicode=True))


def _write(path: Path, text: str) -> None:
    """The file is there whole or not at all."""
    try:
        write_text(path, text)
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None
