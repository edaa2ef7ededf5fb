"""Two translations that differ in the filler → two that differ in a pronoun of its gender.

A sentence is translated with each filler in the gap. The translations differ in the filler and in what agrees with it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher

from mtprobe.authoring.winograd import word_lists
from mtprobe.authoring.winograd.genders import agrees, gender_of
from mtprobe.language.tagging import Gender, tokens_of

MORE_DIFFERS = "the translations differ in more than the filler"
NO_FILLER = "the filler is not found in the translation"
NOT_NOMINATIVE = "the filler is not in the nominative"
NO_GENDER = "the filler's gender is uncertain"
SAME_GENDER = "both fillers have the same gender"
DISAGREES = "what follows does not agree with the pronoun"

_LONGEST = 4  # words of a filler
_STEM = 0.6  # share of the longer word that two inflected forms have in common


@dataclass(frozen=True, slots=True)
class Filler:
    """A noun phrase in a translation, by its tokens."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Variant:
    """A translation with a pronoun in the gap."""

    text: str
    gender: Gender


def contrast(language: str, first: str, second: str) -> tuple[Variant, Variant] | str:
    """Both translations with their pronouns, or the filter that rejects them."""
    tokens = tuple(tokens_of(text) for text in (first, second))
    fillers = find_fillers([[word for word, _ in side] for side in tokens], language)
    if isinstance(fillers, str):
        return fillers
    variants = []
    for text, side, filler in zip((first, second), tokens, fillers, strict=True):
        variant = _variant(language, text, side, filler)
        if isinstance(variant, str):
            return variant
        variants.append(variant)
    if variants[0].gender == variants[1].gender:
        return SAME_GENDER
    for side, filler, variant in zip(tokens, fillers, variants, strict=True):
        if not agrees(language, variant.gender, [word for word, _ in side[filler.end :]]):
            return DISAGREES
    return variants[0], variants[1]


def find_fillers(words: list[list[str]], language: str) -> tuple[Filler, Filler] | str:
    """The differences between the translations, except words that agree with the filler."""
    opcodes = SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes()
    blocks = [
        block
        for kind, *ends in opcodes
        if kind != "equal" and (block := _without_agreement(words, *ends)) is not None
    ]
    if not blocks:
        return NO_FILLER
    # From the first to the last: *a caixa de papelão* and *o saco de papel* share their preposition.
    fillers = []
    determiners = word_lists(language)["determiners"]
    spans = ((blocks[0][0], blocks[-1][1]), (blocks[0][2], blocks[-1][3]))
    for side, (start, end) in zip(words, spans, strict=True):
        if start == end:
            return NO_FILLER
        if start and side[start - 1].lower() in determiners:  # a shared article
            start -= 1
        if end - start > _LONGEST or not _mentioned(side, start, end, determiners):
            return MORE_DIFFERS
        fillers.append(Filler(start, end))
    return fillers[0], fillers[1]


def _without_agreement(
    words: list[list[str]], start: int, end: int, other_start: int, other_end: int
) -> tuple[int, int, int, int] | None:
    """A differing stretch without words at its end that merely agree; None if nothing remains."""
    if end - start == other_end - other_start:
        while end > start and _same_stem(words[0][end - 1], words[1][other_end - 1]):
            end, other_end = end - 1, other_end - 1
        if end == start:
            return None
    return start, end, other_start, other_end


def _mentioned(words: list[str], start: int, end: int, determiners: Collection[str]) -> bool:
    """Whether all words of the filler occur earlier in the sentence, as its antecedent: it contains no verb."""
    before = [word.lower() for word in words[:start]]
    phrase = [_bare(word) for word in words[start:end]]
    return all(
        (at == 0 and word in determiners)
        or any(word == _bare(earlier) or _same_stem(word, earlier) for earlier in before)
        for at, word in enumerate(phrase)
    )


def _bare(word: str) -> str:
    """Without an elided article."""
    return word.lower()[2:] if word.lower()[:2] in ("l'", "l’", "d'", "d’") else word.lower()


def _same_stem(word: str, other: str) -> bool:
    """Whether two words differ only in their endings: *pequeno*, *pequena*."""
    shared = 0
    for mine, theirs in zip(word.lower(), other.lower(), strict=False):
        if mine != theirs:
            break
        shared += 1
    longer = max(len(word), len(other))
    return (
        shared >= 3
        and shared >= _STEM * longer
        and longer - shared <= 3
        and word[0].islower() == other[0].islower()
    )


def _variant(language: str, text: str, tokens: list[tuple[str, int]], filler: Filler) -> Variant | str:
    words = [word for word, _ in tokens]
    gender = gender_of(language, words, filler.start, filler.end)
    if gender is None:
        return NO_GENDER
    if gender == "oblique":
        return NOT_NOMINATIVE
    lists = word_lists(language)
    pronoun = str(lists["pronouns"][gender])
    start = tokens[filler.start][1]
    end = tokens[filler.end - 1][1] + len(words[filler.end - 1])
    if words[filler.start][0].isupper() and _begins(text, start):
        pronoun = pronoun.capitalize()
    before = text[:start]
    if filler.start:
        elided = lists.get("elided", {}).get(words[filler.start - 1].lower())
        if elided:
            begin = tokens[filler.start - 1][1]
            before = text[:begin] + (elided.capitalize() if words[filler.start - 1][0].isupper() else elided)
    return Variant(before + pronoun + text[end:], gender)


def _begins(text: str, start: int) -> bool:
    before = text[:start].rstrip(' "“„«')
    return not before or before[-1] in ".!?:"
