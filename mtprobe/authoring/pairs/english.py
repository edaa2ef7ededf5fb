"""What an English source shows: negation and countable nouns. Other source languages show nothing."""

from __future__ import annotations

import re

from mtprobe.authoring.pairs.tables import words

_NEGATED_NOUN = re.compile(r"(?:\bno|(?:\bnot|n't)(?: \w+)?? (?P<article>an?|any))\s+(?P<noun>[a-z]+)\b")


def negations(sentence: tuple[str, ...]) -> int:
    """How many words of a sentence negate."""
    return sum(word in words("en", "negations") or word.endswith("n't") for word in sentence)


def negated_noun(source: str) -> str | None:
    """Whether the only negated noun phrase is `singular` or `bare` (plural or uncountable); None: unknown."""
    matches = list(_NEGATED_NOUN.finditer(source.lower().replace("’", "'")))
    if len(matches) != 1:
        return None
    article, noun = matches[0]["article"], matches[0]["noun"]
    if article in ("a", "an"):
        return "singular"
    if noun in words("en", "uncountable") or noun in words("en", "plurals"):
        return "bare"
    return "bare" if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else None
