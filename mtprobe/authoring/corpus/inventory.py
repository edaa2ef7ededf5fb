"""What is counted in a corpus: words of the source, each with classes of target words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Item:
    """A word of the source language and the classes of its translations: senses or genders."""

    name: str
    source: tuple[str, ...]  # forms in the source, each of one or more words
    classes: Mapping[str, tuple[str, ...]]  # lemmas or forms of the target language


@dataclass(frozen=True, slots=True)
class Inventory:
    """Items whose target words are lemmas (senses) or surface forms (genders)."""

    items: tuple[Item, ...]
    by: Literal["lemma", "form"]
