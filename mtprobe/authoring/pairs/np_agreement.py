"""An article or possessive in the wrong gender: *die Auto*, *ein Tür*; *um casa*.

The wrong form is chosen so that no other case or number makes it correct; if one might, the line is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, always, replaced, table, words
from mtprobe.language.tagging import Tagged

ABOUT = "Does the model score a noun phrase above the same phrase with a determiner of the wrong gender?"
REPAIRABLE = always

_PRONOUN = Dropped("the determiner may be a pronoun")
_TWO_GENDERS = Dropped("the noun may have both genders")
_NUMBER = Dropped("the noun's number is uncertain")
_NAME = Dropped("the noun is in the source too, and may be a name")
_ADJECTIVES = ("en", "er", "es", "e", "em")


def _german(line: Line) -> Iterator[Change | Dropped]:
    for position, token in enumerate(line.tokens):
        other = _german_other(token)
        if other is None:
            continue
        noun = _german_noun(line, position)
        if noun is not None:
            yield _german_change(line, position, noun, other)


def _german_other(token: Tagged) -> str | None:
    if token.low in table("de", "articles"):
        return str(table("de", "articles")[token.low])
    for stem in words("de", "possessives"):
        if token.low in (stem, stem + "e", stem + "en", stem + "em"):
            ending = token.low.removeprefix(stem)
            return stem + {"": "e", "e": "", "en": "e", "em": "er"}[ending]
    return None


def _german_noun(line: Line, position: int) -> Tagged | None:
    """The noun of the phrase: the next word, or the one after an adjective."""
    after, second = line.at(position + 1), line.at(position + 2)
    if after is not None and after.pos == "NOUN":
        return after
    if after is None or second is None or second.pos != "NOUN" or not after.text.islower():
        return None
    return second if after.pos in ("", "ADJ") and after.low.endswith(_ADJECTIVES) else None


def _german_change(line: Line, position: int, noun: Tagged, other: str) -> Change | Dropped:
    token, before = line.tokens[position], line.at(position - 1)
    if line.is_name(noun):
        return _NAME
    if noun.low in words("de", "two_genders") or "-" in noun.text:
        return _TWO_GENDERS
    if token.low == "einer" and _follows(line, noun, "der", "von", "des"):
        return _PRONOUN
    may_be_plural = noun.low.endswith(tuple(words("de", "same_in_plural")))
    article = token.low in ("das", "den", "dem")
    if article and (before is not None and before.text == ","):
        return _PRONOUN
    if article and "the" not in line.source_words:
        return _PRONOUN  # *ist das Butter?*
    if (
        token.low.startswith("sein")
        and line.at(position - 1) is not None
        and line.tokens[position - 1].pos == "AUX"
    ):
        return _PRONOUN  # an infinitive: *das muss sein*
    if article and (may_be_plural or (noun.low.startswith("ge") and noun.low.endswith("e"))):
        return _NUMBER  # *die Messer*, *die Gebäude*
    possessive = not article and not token.low.startswith("ein")
    if possessive and token.low.endswith("en") and noun.low.endswith(("n", "s")):
        return _NUMBER  # *unseren Autos*: a plural
    if possessive and may_be_plural and not token.low.endswith(("m", "n", "r")):
        return _NUMBER
    if noun.low.endswith(tuple(words("de", "adjectival"))):
        return _TWO_GENDERS
    right = line.target[token.start : noun.end].lower()
    wrong = other + line.target[token.end : noun.end].lower()
    return replaced(token, other, right, wrong, noun.low)


def _follows(line: Line, noun: Tagged, *lows: str) -> bool:
    after = line.at(line.tokens.index(noun) + 1)
    return after is not None and after.low in lows


def _portuguese(line: Line) -> Iterator[Change | Dropped]:
    for position, token in enumerate(line.tokens[:-1]):
        other = table("pt", "genders").get(token.low)
        noun = line.tokens[position + 1]
        if other is None or noun.pos not in ("NOUN", "") or not noun.text.islower():
            continue
        if noun.pos != "NOUN" or noun.gender is None:
            if noun.pos == "NOUN":
                yield Dropped("the noun's gender is uncertain")
            continue
        feminine = token.low in words("pt", "feminine")
        if feminine != (noun.gender == "feminine"):
            yield _TWO_GENDERS
        elif line.is_name(noun):
            yield _NAME
        else:
            # *no meu quarto*: another translation shows the same only with both determiners.
            before = line.at(position - 1)
            first = f"{before.low} " if before is not None and before.pos == "DET" else ""
            right, wrong = (f"{first}{word} {noun.low}" for word in (token.low, other))
            yield replaced(token, str(other), right, wrong, noun.low)


LANGUAGES: dict[str, Changes] = {"de": _german, "pt": _portuguese}
