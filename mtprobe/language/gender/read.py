"""Reads the gender that a translation gives a person: from the noun, its determiner, and what agrees with it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mtprobe.language.gender.grammar import Grammar

# An elided word keeps its apostrophe: l', un', qu'. Parts that a hyphen joins are one word.
_WORD = re.compile(r"\w+(?:[-‐]\w+)*['’]?")
_NEAR = 2  # words before a noun that may be its determiner: an adjective may come between
_REACH = 4  # words after a noun that may be its verb or adjective


class Cue(NamedTuple):
    """A word that shows a gender, and how."""

    gender: str
    word: str
    kind: str  # "noun", "article", "agreement", "verb"


@dataclass(frozen=True, slots=True)
class GenderReading:
    """The gender that a translation gives a person."""

    gender: str | None  # None: unknown
    cues: tuple[Cue, ...] = ()
    reason: str = ""  # why it is unknown


class _Word(NamedTuple):
    text: str  # as written
    plain: str  # as it is looked up
    token: int
    ends_clause: bool


def read_gender(grammar: Grammar, translation: str, aligned: Collection[int]) -> GenderReading:
    """The gender of the person whom the aligned tokens (separated by white space, from 0) name."""
    words = list(_words(translation))
    nouns = [
        place
        for place, word in enumerate(words)
        if word.token in aligned and _may_be_noun(grammar, word, opens=place == 0)
    ]
    if not nouns:
        return GenderReading(None, reason="no noun of the translation is aligned to the focus")
    order = nouns if grammar.head == "first" else nouns[::-1]
    readings = [_read(grammar, words, place) for place in order]
    return max(readings, key=_strength)  # the first of several equals


def _strength(reading: GenderReading) -> int:
    """A noun with its determiner is most certainly the one that is meant."""
    return len({cue.kind for cue in reading.cues}) + 2 * (reading.gender is not None)


def _may_be_noun(grammar: Grammar, word: _Word, *, opens: bool) -> bool:
    if grammar.nouns.gender_of(word.plain) == "neutral":
        return True  # jemand, quelqu'
    if (
        word.plain.endswith("'")
        or word.plain in grammar.particles
        or grammar.determiners.gender_of(word.plain)
    ):
        return False
    return not grammar.capitals or (word.text[0].isupper() and not (opens and len(word.text) < 3))


def _read(grammar: Grammar, words: Sequence[_Word], place: int) -> GenderReading:
    noun = words[place]
    own = grammar.nouns.gender_of(noun.plain)
    if own == "neutral":
        return GenderReading("neutral", (Cue("neutral", noun.text, "noun"),))
    if (both := _phrase(grammar, words, place)) is not None:
        return GenderReading(both.gender, (both,))
    article = _determiner(grammar, words, place)
    from_noun = Cue(own, noun.text, "noun") if own in ("male", "female") else None
    if (verb := _verb(grammar, words, place)) is not None and (
        from_noun is None or from_noun.gender == "male"
    ):
        return GenderReading(verb.gender, tuple(cue for cue in (verb, from_noun, article) if cue))
    if from_noun is None and article is None:
        agreeing = _agreeing(grammar, words, place)
        if agreeing is None:
            return GenderReading(
                None, reason=f"neither “{noun.text}” nor a word that belongs to it shows a gender"
            )
        return GenderReading(agreeing.gender, (agreeing,))
    return _combine(grammar, from_noun, article)


def _combine(grammar: Grammar, noun: Cue | None, article: Cue | None) -> GenderReading:
    """The gender of noun and article; if they differ, the one that the grammar prefers."""
    cues = tuple(cue for cue in (article, noun) if cue)
    if len({cue.gender for cue in cues}) == 1 or noun is None or article is None:
        return GenderReading(cues[0].gender, cues)
    if article.word.casefold() in grammar.weak:
        return GenderReading(noun.gender, (noun,))
    if grammar.articles_win and article.gender == "female":
        return GenderReading("female", cues)
    return GenderReading(None, cues, f"“{article.word}” is {article.gender}, and “{noun.word}” {noun.gender}")


def _determiner(grammar: Grammar, words: Sequence[_Word], place: int) -> Cue | None:
    for word in reversed(words[max(0, place - _NEAR) : place]):
        if word.ends_clause:
            return None
        if gender := grammar.determiners.gender_of(word.plain):
            return Cue(gender, word.text, "article")
        if word.plain in grammar.particles:
            return None
    return None


def _phrase(grammar: Grammar, words: Sequence[_Word], place: int) -> Cue | None:
    if place == 0:
        return None
    article, noun = words[place - 1], words[place]
    for gender, known in grammar.phrases:
        for entry in known:
            first, ending = entry.split()
            if article.plain == first and noun.plain.endswith(ending.removeprefix("-")):
                return Cue(gender, f"{article.text} {noun.text}", "article")
    return None


def _verb(grammar: Grammar, words: Sequence[_Word], place: int) -> Cue | None:
    if grammar.verbs is None or not grammar.verbs.takes(words[place].plain):
        return None
    for word in _after(words, place):
        if gender := grammar.verbs.gender_of(word.plain):
            return Cue(gender, word.text, "verb")
    return None


def _agreeing(grammar: Grammar, words: Sequence[_Word], place: int) -> Cue | None:
    if grammar.agreement is None:
        return None
    copula = False
    for word in _after(words, place):
        if copula and (gender := grammar.agreement.gender_of(word.plain)):
            return Cue(gender, word.text, "agreement")
        copula = copula or word.plain in grammar.agreement.after
    return None


def _after(words: Sequence[_Word], place: int) -> Iterator[_Word]:
    """The next words of the same clause."""
    if words[place].ends_clause:
        return
    for word in words[place + 1 : place + 1 + _REACH]:
        yield word
        if word.ends_clause:
            return


def _words(translation: str) -> Iterator[_Word]:
    for number, token in enumerate(unicodedata.normalize("NFC", translation).split()):
        words = list(_WORD.finditer(token))
        for word in words:
            text = word.group().replace("’", "'")
            rest = token[word.end() :]
            if not rest:
                text = text.rstrip("'")  # at the very end it is a quotation mark, not an elision
            ends = word is words[-1] and any(character in ",.;:!?…" for character in rest)
            yield _Word(text, text.casefold(), number, ends)
