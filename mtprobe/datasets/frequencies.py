"""Which senses of words are frequent and which rare: the file that `mtprobe senses` writes, in MuCoW's layout."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.parsing.lines import checked, json_document
from mtprobe.suite.samples.frequencies import Categories

Pairs = list[Annotated[list[str], Field(min_length=2, max_length=2)]]


class _Frequencies(BaseModel):
    """For each target language, pairs of word and lemma; it has more keys."""

    frequent_word_senses: dict[str, Pairs]
    infrequent_word_senses: dict[str, Pairs]


def read_frequencies(path: Path, target: str) -> Categories:
    """`frequent` or `rare` for every word and lemma of the target language."""
    place = Place(path, 1)
    held = checked(_Frequencies, json_document(path), place)
    found: dict[tuple[str, str], str] = {}
    for category, by_language in (
        ("frequent", held.frequent_word_senses),
        ("rare", held.infrequent_word_senses),
    ):
        if target not in by_language:
            raise SuiteError.at(
                place, f'nothing for the language "{target}"{did_you_mean(target, by_language)}'
            )
        found.update(((word, lemma), category) for word, lemma in by_language[target])
    return found
