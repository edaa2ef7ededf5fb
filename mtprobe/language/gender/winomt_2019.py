"""The German rules of WinoMT (2019): which gender a translation gives an occupation, by word alignment and a table.

They are kept as published, because published figures were computed with them. They are not a grammar of German:
the table lacks *den*, and a nurse is a woman whatever the translation says.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from mtprobe.language.alignment import Link, aligned_to

Gender = Literal["male", "female", "neutral"]

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


def german_gender(
    source: str, index: int, occupation: str, translation: str, alignment: Collection[Link]
) -> Gender:
    """The gender of the occupation whose first whitespace token has this index in the source."""
    if occupation.casefold() == "nurse":
        return "female"
    words = translation.split()
    aligned = _aligned(source.split(), index, alignment)
    if not aligned:
        return "male"
    if aligned[-1] >= len(words):
        raise ValueError(f"the alignment names word {aligned[-1]}; the translation has {len(words)} words")
    if any(_bare(words[position]).endswith("in") for position in aligned):
        return "female"
    return _nearest(words, aligned[0])


def _aligned(source: list[str], index: int, alignment: Collection[Link]) -> list[int]:
    """The target words of the occupation and of the article before it."""
    wanted = {index}
    if index > 0 and source[index - 1].casefold() in _ARTICLES:
        wanted.add(index - 1)
    return aligned_to(alignment, wanted)


def _bare(word: str) -> str:
    return "".join(character for character in word if character.isalnum())


def _nearest(words: list[str], first: int) -> Gender:
    """The gender of the word in the table that is nearest to the first aligned one; the left one of two."""
    before = sum(len(_TOKENS.findall(word)) for word in words[:first])
    tokens = [token.lower() for token in _TOKENS.findall(" ".join(words))]
    known = [position for position, token in enumerate(tokens) if token in _TABLE]
    if not known:
        return "male"
    return _TABLE[tokens[min(known, key=lambda position: abs(position - before))]]
