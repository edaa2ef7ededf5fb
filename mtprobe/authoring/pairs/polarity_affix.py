"""A negating prefix is removed: *unmöglich*, *möglich*; *impossível*, *possível*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, replaced, table, words

ABOUT = "Does the model score a negated word above the same word without its negating prefix?"

# Endings of adjectives, adverbs, participles and nouns derived from them, without German inflection.
_DERIVED = re.compile(
    r".{2,}(lich|bar|sam|ig|isch|haft|iert|end|voll|mäßig|würdig|fähig|ell|iv|ent|abel)(keit|st)?$"
    r"|.{2,}(heit|keit|barkeit|ierung)$"
    r"|(ge|be|er|ver|ent|an|aus|auf|ab|ein|zer|über|unter|vor).{3,}(t|en)(heit)?$"
)


def _german(line: Line) -> Iterator[Change | Dropped]:
    for token in line.words:
        rest = token.low.removeprefix("un")
        if rest == token.low or len(rest) < 3 or not token.text.isalpha():
            continue
        if token.low.startswith(tuple(words("de", "other_un"))) or not _is_german_word(rest):
            continue
        if token.low.startswith(tuple(words("de", "not_negated"))):
            yield Dropped("the word without its prefix does not mean the opposite")
        else:
            yield replaced(token, rest, token.low, rest, _stem(token.low))


def _is_german_word(rest: str) -> bool:
    listed = words("de", "negatable")
    for ending in words("de", "inflection"):
        if not rest.endswith(ending) or len(rest) - len(ending) < 3:
            continue
        base = rest[: len(rest) - len(ending)] if ending else rest
        if base in listed or base + "e" in listed or _DERIVED.fullmatch(base):
            return True
    return False


def _stem(word: str) -> str:
    for ending in ("ere", "en", "em", "er", "es", "e"):
        if word.endswith(ending) and len(word) > len(ending) + 5:
            return word[: -len(ending)]
    return word


def _portuguese(line: Line) -> Iterator[Change | Dropped]:
    for token in line.words:
        plain = _portuguese_words().get(token.low)
        if plain is not None:
            yield replaced(token, plain, token.low, plain, token.low)


@cache
def _portuguese_words() -> dict[str, str]:
    """Every form of the listed words, with its form without the prefix."""
    forms: dict[str, str] = {}
    for negated, plain in table("pt", "negated").items():
        forms.update(zip(_inflected(negated), _inflected(plain), strict=True))
    return forms


def _inflected(word: str) -> list[str]:
    """Gender, number and the adverb, by the word's ending."""
    if word.endswith("o"):
        stem = word[:-1]
        return [word, stem + "a", word + "s", stem + "as", stem + "amente"]
    if word.endswith("ível"):
        return [word, word[:-4] + "íveis", word[:-4] + "ivelmente"]
    if word.endswith("ável"):
        return [word, word[:-4] + "áveis", word[:-4] + "avelmente"]
    if word.endswith(("r", "z")):
        return [word, word + "es", word + "mente"]
    if word.endswith("al"):
        return [word, word[:-1] + "is", word + "mente"]
    if word.endswith(("e", "a")):
        return [word, word + "s", word + "mente"]
    return [word]


def _without_negation(line: Line) -> bool:
    """*Nicht möglich* is as correct as *unmöglich*."""
    return not line.lows & (words("de", "negations") | words("pt", "negations"))


REPAIRABLE = _without_negation
LANGUAGES: dict[str, Changes] = {"de": _german, "pt": _portuguese}
