"""Rule sets for reading a person's gender: mtprobe's grammars, or published rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from mtprobe.language import tags
from mtprobe.language.alignment import Alignment, Link, SentencePair, aligned_to, tokens_in
from mtprobe.language.gender.grammar import VERSION, grammar_of, languages
from mtprobe.language.gender.read import GenderReading, read_gender

Gender = Literal["male", "female", "neutral"]

# The German rules of WinoMT (2019): which gender a translation gives an occupation, by word alignment and a table.
# They are kept as published, because published figures were computed with them. They are not a grammar of German:
# the table lacks *den*, and a nurse is a woman whatever the translation says.
_MASCULINE = "der ein dem einen des er seiner ihn seinen ihm ihren seinem ihrem sein"
_FEMININE = "die eine einer sie seine ihrer"
_NEUTRAL = "ihr ihre das jemanden"
_TABLE: dict[str, Gender] = {
    **dict.fromkeys(_MASCULINE.split(), "male"),
    **dict.fromkeys(_FEMININE.split(), "female"),
    **dict.fromkeys(_NEUTRAL.split(), "neutral"),
}
_ARTICLES = frozenset({"the", "a", "an"})
_TOKENS = re.compile(r"\w+|[^\w\s]")  # punctuation is a token of its own


class Rules(NamedTuple):
    name: str  # for signatures
    read: Callable[
        [SentencePair, tuple[int, int], Alignment], GenderReading
    ]  # of a pair, the focus in the source, and the alignment
    neutral_is_wrong: bool  # if a man or a woman is meant; otherwise undecided


def rules_for(name: str, target: str) -> Rules | None:
    """The rules of this name for a language; None if they do not cover it."""
    language = tags.standard(target).split("-")[0]
    if name == "winomt-2019":
        return Rules(name, _winomt_2019, neutral_is_wrong=True) if language == "de" else None
    grammar = grammar_of(target)
    if grammar is None:
        return None

    def read(pair: SentencePair, focus: tuple[int, int], alignment: Alignment) -> GenderReading:
        aligned = aligned_to(alignment, tokens_in(pair.source, focus))
        return read_gender(grammar, pair.translation, aligned)

    return Rules(f"grammar {language} {VERSION}", read, neutral_is_wrong=False)


def known_languages(name: str) -> tuple[str, ...]:
    return ("de",) if name == "winomt-2019" else languages()


def _winomt_2019(pair: SentencePair, focus: tuple[int, int], alignment: Alignment) -> GenderReading:
    occupation = pair.source[slice(*focus)]
    index = tokens_in(pair.source, focus)[0]
    return GenderReading(german_gender(pair.source, index, occupation, pair.translation, alignment))


def german_gender(
    source: str, index: int, occupation: str, translation: str, alignment: Collection[Link]
) -> Gender:
    """The gender of the occupation whose first whitespace token has this index in the source."""
    if occupation.casefold() == "nurse":
        return "female"
    words = translation.split()
    after_article = index > 0 and source.split()[index - 1].casefold() in _ARTICLES
    aligned = aligned_to(alignment, {index - 1, index} if after_article else {index})
    if not aligned:
        return "male"
    if aligned[-1] >= len(words):
        raise ValueError(f"the alignment names word {aligned[-1]}; the translation has {len(words)} words")
    if any("".join(filter(str.isalnum, words[position])).endswith("in") for position in aligned):
        return "female"
    return _nearest(words, aligned[0])


def _nearest(words: list[str], first: int) -> Gender:
    """The gender of the word in the table that is nearest to the first aligned one; the left one of two."""
    before = sum(len(_TOKENS.findall(word)) for word in words[:first])
    tokens = [token.lower() for token in _TOKENS.findall(" ".join(words))]
    known = [position for position, token in enumerate(tokens) if token in _TABLE]
    if not known:
        return "male"
    return _TABLE[tokens[min(known, key=lambda position: abs(position - before))]]
