"""Sets of rules by which a person's gender is read: the grammars that come with mtprobe, or rules as published."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from mtprobe.language import tags
from mtprobe.language.alignment import Alignment, SentencePair, aligned_to, tokens_in
from mtprobe.language.gender.grammar import VERSION, grammar_of, languages
from mtprobe.language.gender.read import Reading, read_gender
from mtprobe.language.gender.winomt_2019 import german_gender

Read: TypeAlias = Callable[[SentencePair, tuple[int, int], Alignment], Reading]


class Rules(NamedTuple):
    name: str  # for signatures
    read: Read  # of a pair, the focus in the source, and the alignment
    neutral_is_wrong: bool  # if a man or a woman is meant; otherwise undecided


def rules_for(name: str, target: str) -> Rules | None:
    """The rules of this name for a language; None if they do not cover it."""
    language = tags.standard(target).split("-")[0]
    if name == "winomt-2019":
        return Rules(name, _winomt_2019, neutral_is_wrong=True) if language == "de" else None
    grammar = grammar_of(target)
    if grammar is None:
        return None

    def read(pair: SentencePair, focus: tuple[int, int], alignment: Alignment) -> Reading:
        aligned = aligned_to(alignment, tokens_in(pair.source, focus))
        return read_gender(grammar, pair.translation, aligned)

    return Rules(f"grammar {language} {VERSION}", read, neutral_is_wrong=False)


def known_languages(name: str) -> tuple[str, ...]:
    return ("de",) if name == "winomt-2019" else languages()


def _winomt_2019(pair: SentencePair, focus: tuple[int, int], alignment: Alignment) -> Reading:
    occupation = pair.source[slice(*focus)]
    index = tokens_in(pair.source, focus)[0]
    return Reading(german_gender(pair.source, index, occupation, pair.translation, alignment))
