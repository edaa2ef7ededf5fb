"""Frequent and rare senses of words: the output of `mtprobe senses`, in MuCoW's layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BaseModel, Field

from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.parsing.lines import checked, json_document
from mtprobe.suite.sample import Scalar

Categories: TypeAlias = Mapping[tuple[str, str], str]
"""`frequent` or `rare` for a word and a lemma."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """A suite's file of frequencies, for its target language."""

    target: str
    categories: Categories | None  # None: not counted yet, so samples have no category from it


_Pairs: TypeAlias = list[Annotated[list[str], Field(min_length=2, max_length=2)]]


class _File(BaseModel):
    """For each target language, pairs of word and lemma; it has other keys too."""

    frequent_word_senses: dict[str, _Pairs]
    infrequent_word_senses: dict[str, _Pairs]


def read_frequencies(path: Path, target: str) -> Categories:
    """`frequent` or `rare` for every word and lemma of the target language."""
    place = Place(path, 1)
    file = checked(_File, json_document(path), place)
    categories: dict[tuple[str, str], str] = {}
    for category, by_language in (
        ("frequent", file.frequent_word_senses),
        ("rare", file.infrequent_word_senses),
    ):
        if target not in by_language:
            raise SuiteError.at(
                place, f'nothing for the language "{target}"{did_you_mean(target, by_language)}'
            )
        categories.update(((word, lemma), category) for word, lemma in by_language[target])
    return categories


def categories_of(word: str, lemmas: Iterable[str], categories: Categories) -> set[str]:
    """The categories of a word in the sense of these lemmas; one, unless the file does not fit."""
    return {categories[word, lemma] for lemma in lemmas if (word, lemma) in categories}


def word_of(attributes: Mapping[str, Scalar], source: str, focus: tuple[int, int] | None) -> str:
    """The ambiguous word of a sample: its attribute `word`, else the focus in lower case."""
    return str(attributes.get("word", source[slice(*focus)].casefold() if focus else ""))
