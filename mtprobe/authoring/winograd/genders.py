"""The gender of a subject noun phrase, from its article or a dictionary, if its other mentions agree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, get_args

from mtprobe.authoring.winograd import word_lists
from mtprobe.errors import MtprobeError
from mtprobe.language.tagging import LANGUAGES as RULES
from mtprobe.language.tagging import Gender, open_tagger

_NEAR = 4  # words after a subject in which its predicate starts


def gender_of(
    language: str, words: Sequence[str], start: int, end: int
) -> Gender | Literal["oblique"] | None:
    """The gender of the phrase between two tokens; `oblique` if it is not a subject, None if uncertain."""
    if language == "ru":
        return _by_dictionary(words[start:end])
    lists = word_lists(language)
    article, noun = words[start].lower(), _noun(language, words, start, end)
    gender: Gender | None = lists["nominative"].get(article)
    if gender is None and article[:2] in ("l'", "l’"):
        return _by_mentions(lists, words, noun, start)
    if gender is None or end - start < 2:
        return "oblique" if article in lists["determiners"] else None
    others = _mentions(lists, words, noun, start)
    if any(gender not in genders for genders in others) or _contradicted(language, noun, gender):
        return None
    return gender


def _noun(language: str, words: Sequence[str], start: int, end: int) -> str:
    """The phrase's noun: capitalised in German, else right after the article (fr and pt adjectives follow it)."""
    phrase = words[start:end]
    if language == "de":
        return next((word for word in reversed(phrase) if word[0].isupper()), phrase[-1]).lower()
    noun = (phrase[1] if len(phrase) > 1 else phrase[0]).lower()
    return noun[2:] if noun[:2] in ("l'", "l’") else noun


def _mentions(lists: dict[str, Any], words: Sequence[str], noun: str, but: int) -> list[frozenset[str]]:
    """The genders that the determiners of a noun's other mentions allow."""
    allowed = []
    for at, word in enumerate(words):
        if at and word.lower() == noun and at - 1 != but:
            determiner = lists["determiners"].get(words[at - 1].lower())
            if determiner:
                allowed.append(frozenset(determiner.split()))
    return allowed


def _by_mentions(lists: dict[str, Any], words: Sequence[str], noun: str, but: int) -> Gender | None:
    """*L'armoire* does not show its gender, but *une armoire* does."""
    allowed = frozenset(get_args(Gender)).intersection(*_mentions(lists, words, noun, but))
    return next(iter(allowed)) if len(allowed) == 1 else None


def _contradicted(language: str, noun: str, gender: Gender) -> bool:
    """Whether the noun's ending indicates another gender."""
    if language not in RULES:
        return False
    (tokens,) = open_tagger("rules", language).tag(
        [f"um {noun}" if language == "pt" else f"x {noun.capitalize()}"]
    )
    return tokens[1].gender not in (None, gender)


@cache
def _analyzer() -> Any:
    try:
        from pymorphy3 import MorphAnalyzer
    except ImportError:
        raise MtprobeError('Russian needs pymorphy3: pip install "mtprobe[lemmas]"') from None
    return MorphAnalyzer(lang="ru")


_RUSSIAN: dict[str, Gender] = {"masc": "masculine", "femn": "feminine", "neut": "neuter"}


def _by_dictionary(phrase: Sequence[str]) -> Gender | Literal["oblique"] | None:
    """The gender of the phrase's noun; its likely analyses must agree."""
    for word in phrase:
        readings = [
            reading
            for reading in _analyzer().parse(word)
            if reading.tag.POS == "NOUN" and reading.score >= 0.05
        ]
        if not readings:
            continue
        nominative = [
            reading.tag for reading in readings if reading.tag.case == "nomn" and reading.tag.number == "sing"
        ]
        genders = {tag.gender for tag in nominative}
        if not nominative:
            return "oblique"
        return _RUSSIAN.get(genders.pop() or "") if len(genders) == 1 else None
    return None


def agrees(language: str, gender: Gender, words: Sequence[str]) -> bool:
    """Whether the predicate after a subject of this gender fits it. German predicates show no gender."""
    if language == "pt":
        return _portuguese_predicate(gender, [word.lower() for word in words])
    if language == "ru":
        return all(_russian_predicate(gender, word) for word in words[:_NEAR])
    return True


def _portuguese_predicate(gender: Gender, words: Sequence[str]) -> bool:
    lists = word_lists("pt")
    if not words or words[0] not in lists["copulas"]:
        return True
    predicate = next((word for word in words[1:_NEAR] if word not in lists["degrees"]), "")
    return not predicate.endswith("a" if gender == "masculine" else "o")


def _russian_predicate(gender: Gender, word: str) -> bool:
    """Past tenses and short adjectives show gender."""
    genders = {
        reading.tag.gender
        for reading in _analyzer().parse(word)
        if reading.tag.POS in ("VERB", "ADJS", "PRTS")
    }
    return None in genders or not genders or gender in {_RUSSIAN[name] for name in genders}
