"""The words of a translation that name the person: the head noun, the words before it, and the words after it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from mtprobe.language.gender.grammar import Grammar

# An elided word keeps its apostrophe: l', un', qu'. Parts that a hyphen joins are one word.
_WORD = re.compile(r"\w+(?:[-‐]\w+)*['’]?")
_TOKEN = re.compile(r"\S+")


class Word(NamedTuple):
    text: str  # as written
    plain: str  # as it is looked up
    token: int
    ends_clause: bool
    start: int  # in the translation, composed (NFC)

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Phrase(NamedTuple):
    """The words that name a person: first and last place, and the place of the head noun."""

    first: int
    head: int
    last: int


def words_of(translation: str) -> list[Word]:
    return list(_words(unicodedata.normalize("NFC", translation)))


def _words(translation: str) -> Iterator[Word]:
    for number, place in enumerate(_TOKEN.finditer(translation)):
        token = place.group()
        words = list(_WORD.finditer(token))
        for word in words:
            text = word.group().replace("’", "'")
            rest = token[word.end() :]
            if not rest:
                text = text.rstrip("'")  # at the very end it is a quotation mark, not an elision
            ends = word is words[-1] and any(character in ",.;:!?…" for character in rest)
            yield Word(text, text.casefold(), number, ends, place.start() + word.start())


def phrases_of(grammar: Grammar, words: Sequence[Word], aligned: Collection[int]) -> list[Phrase]:
    """The noun phrases among the aligned tokens, without complements: of *l'ouvrier de la construction* the first noun."""
    places = [
        place
        for place, word in enumerate(words)
        if word.token in aligned and _may_be_noun(grammar, word, opens=place == 0)
    ]
    phrases: list[Phrase] = []
    for run in _runs(words, places):
        if phrases and _is_complement(grammar, words, phrases[-1].last, run[0]):
            phrases[-1] = phrases[-1]._replace(last=run[-1])
        else:
            phrases.append(Phrase(run[0], _head(grammar, words, run), run[-1]))
    return phrases


def _runs(words: Sequence[Word], places: Sequence[int]) -> Iterator[list[int]]:
    """Neighbouring places: a noun and its adjectives, or the parts of a name."""
    run: list[int] = []
    for place in places:
        if run and (place != run[-1] + 1 or words[run[-1]].ends_clause):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


def _is_complement(grammar: Grammar, words: Sequence[Word], end: int, start: int) -> bool:
    """Whether only small words come between: *de la*, *do*, *des*."""
    between = words[end + 1 : start]
    if any(word.ends_clause for word in words[end:start]):
        return False
    return bool(between) and all(grammar.is_small(word.plain) for word in between)


def _head(grammar: Grammar, words: Sequence[Word], run: Sequence[int]) -> int:
    order = run if grammar.head == "first" else run[::-1]
    return next((place for place in order if grammar.nouns.gender_of(words[place].plain)), order[0])


def _may_be_noun(grammar: Grammar, word: Word, *, opens: bool) -> bool:
    if grammar.nouns.gender_of(word.plain) == "neutral":
        return True  # jemand, quelqu'
    if grammar.is_small(word.plain) or grammar.is_pronoun(word.plain) or grammar.is_copula(word.plain):
        return False
    return not grammar.capitals or (word.text[0].isupper() and not (opens and len(word.text) < 3))
