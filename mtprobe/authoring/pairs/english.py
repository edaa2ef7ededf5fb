"""What the English source of a pair tells: negation, persons, countable nouns. Other sources tell nothing."""

from __future__ import annotations

import re

from mtprobe.authoring.pairs.tables import words

_NEGATED_NOUN = re.compile(r"(?:\bno|(?:\bnot|n't)(?: \w+)?? (?P<article>an?|any))\s+(?P<noun>[a-z]+)\b")


def negations(sentence: tuple[str, ...]) -> int:
    """How many words of a sentence negate."""
    return sum(word in words("en", "negations") or word.endswith("n't") for word in sentence)


def negated_noun(source: str) -> str | None:
    """Whether the one negated noun phrase of a sentence is `singular` or `bare` (a plural, or not countable); None: unknown."""
    found = list(_NEGATED_NOUN.finditer(source.lower().replace("’", "'")))
    if len(found) != 1:
        return None
    article, noun = found[0]["article"], found[0]["noun"]
    if article in ("a", "an"):
        return "singular"
    if noun in words("en", "uncountable") or noun in words("en", "plurals"):
        return "bare"
    return "bare" if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else None
