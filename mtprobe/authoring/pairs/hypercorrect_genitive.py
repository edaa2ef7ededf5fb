"""A dative after a preposition becomes a genitive: *seit dem Tag*, *seit des Tages*. An implausible error, so a control.

Only masculine and neuter singulars: the feminine dative and genitive look the same, and plurals need a dictionary.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, always, like, words
from mtprobe.language.tagging import Tagged

ABOUT = "Does the model score the dative above a hypercorrect genitive? A control: models do not write those."
REPAIRABLE = always
_VOWELS = "aeiouäöüy"


def _german(line: Line) -> Iterator[Change | Dropped]:
    prepositions = words("de", "dative_prepositions")
    for position, token in enumerate(line.tokens):
        if token.low not in prepositions:
            continue
        phrase = _noun_phrase(line, position + 1)
        if phrase is None:
            continue
        if position and line.tokens[position - 1].text == ",":
            yield Dropped("the article after the preposition may be a relative pronoun")
            continue
        yield _changed(line, token, *phrase)


def _noun_phrase(line: Line, at: int) -> tuple[Tagged, Tagged] | None:
    """A masculine or neuter article or adjective in the dative, and its noun; adjectives may be in between."""
    first = line.at(at)
    if first is None or not first.low.endswith("em") or not first.text.islower() or len(first.text) < 3:
        return None
    if first.pos not in ("DET", "ADJ", "") or first.low in words("de", "no_adjectives"):
        return None
    for position in range(at + 1, at + 4):
        token = line.at(position)
        if token is None:
            return None
        if token.pos == "NOUN":
            return first, token
        if not token.text.islower() or not token.low.endswith("en") or token.pos not in ("", "ADJ"):
            return None
    return None


def _changed(line: Line, preposition: Tagged, first: Tagged, noun: Tagged) -> Change | Dropped:
    genitive = _genitive(noun.text)
    if line.is_name(noun):
        return Dropped("the noun is in the source too, and may be a name")
    if genitive is None:
        return Dropped("the noun's genitive is uncertain")
    # A determiner takes -es (des, eines, dieses); an adjective without one takes -en.
    determiner = first.pos == "DET"
    article = first.text[:-2] + ("es" if determiner else "en")
    between = line.target[first.end : noun.start]
    right = line.target[first.start : noun.end].lower()
    new = like(article, first.text) + between + genitive
    prefix = preposition.low + " "
    return Change(first.start, noun.end, new, prefix + right, prefix + new.lower(), noun.low)


def _genitive(noun: str) -> str | None:
    low = noun.lower()
    if "-" in noun or not noun.isalpha() or low in words("de", "no_genitive"):
        return None
    if low.endswith(tuple(words("de", "weak_nouns"))):
        return noun
    if low.endswith(("chen", "lein", "er", "el", "em", "ling")):
        return noun + "s"
    if low.endswith("en"):
        return noun + "s" if low.endswith(tuple(words("de", "strong_in_en"))) else None
    if low.endswith(("s", "ß", "x", "z")):
        return None if low.endswith(("us", "as", "is", "os", "ns", "x")) else noun + "es"
    if low.endswith(tuple("aioyu")):
        return noun + "s"
    if low.endswith("e"):
        return None  # weak (Junge), an adjective (Deutsche) or an archaic dative (Hause)
    one_syllable = sum(
        letter in _VOWELS and (not at or low[at - 1] not in _VOWELS) for at, letter in enumerate(low)
    )
    return noun + ("es" if one_syllable == 1 and low[-1] not in "hw" else "s")


LANGUAGES: dict[str, Changes] = {"de": _german}
MISSING = {"pt": "Portuguese nouns have no cases, so there is no genitive to write by mistake"}
