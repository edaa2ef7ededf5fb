"""Categories by how frequent a sense is, for samples that do not say theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mtprobe.suite.sample import Scalar

Categories: TypeAlias = Mapping[tuple[str, str], str]
"""`frequent` or `rare` for a word and a lemma."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """A suite's file of frequencies, for its target language."""

    target: str
    categories: Categories | None  # None: not counted yet, so samples have no category from it


def categories_of(word: str, lemmas: Iterable[str], categories: Categories) -> set[str]:
    """The categories of a word in the sense that these lemmas stand for; one, unless the file does not fit."""
    return {categories[word, lemma] for lemma in lemmas if (word, lemma) in categories}


def word_of(known: Mapping[str, Scalar], source: str, focus: tuple[int, int] | None) -> str:
    """The ambiguous word of a sample: its attribute `word`, else the focus in small letters."""
    return str(known.get("word", source[slice(*focus)].casefold() if focus else ""))
