"""The two repairs that English needs when words are put into a sentence: a/an, and the capital."""

from __future__ import annotations

import re

# Spelled with one kind of letter, spoken with the other kind of sound.
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_SPOKEN_AS_CONSONANT = re.compile(
    r"(?:eu|ewe|one(?:\b|-|s\b|ness)|once|oui|u(?:ni(?![dmn])|s[aeiu]|t(?:e[nr]|i[ln]|o)|k|r(?:a(?:n|l)|i)|biq|fo|gand))"
)
_LETTERS_SPOKEN_WITH_A_VOWEL = frozenset("AEFHILMNORSX")
_ARTICLE_BEFORE = re.compile(r"(?:(?<=\s)|(?<=^)|(?<=[\"'“‘(\[]))(an?)(\s+)$", re.IGNORECASE)


def takes_an(following: str) -> bool:
    """Whether the article before these words is "an": by sound, not by letter."""
    word = re.match(r"\W*([\w-]*)", following)
    spoken = word.group(1) if word else ""
    if not spoken:
        return False
    head = re.split("-", spoken)[0]
    if len(head) > 1 and head.isupper() and not re.search("[AEIOU]", head[1:]):
        return head[0] in _LETTERS_SPOKEN_WITH_A_VOWEL  # an MP, a UFO is said as letters
    lower = spoken.lower()
    if lower.startswith(_SILENT_H):
        return True
    if _SPOKEN_AS_CONSONANT.match(lower):
        return False
    return lower[0] in "aeiou" or lower in ("8", "11", "18") or lower.startswith(("80", "8-"))


def join(before: str, inserted: str) -> str:
    """`before` + `inserted`, where an a/an that ends `before` is made to fit."""
    found = _ARTICLE_BEFORE.search(before)
    if not found:
        return before + inserted
    article = "an" if takes_an(inserted) else "a"
    if found.group(1)[0].isupper():
        article = article.capitalize()
    return before[: found.start(1)] + article + found.group(2) + inserted


def starts_sentence(before: str) -> bool:
    """Whether what follows `before` opens a sentence, and so wants a capital."""
    return not before.strip("\"'“‘«([ \t") or bool(re.search(r"[.!?…][\"'”’»)]*\s+[\"'“‘«(\[]*$", before))


def capitalised(text: str) -> str:
    """The first letter made a capital, whatever signs stand before it."""
    for index, sign in enumerate(text):
        if sign.isalpha():
            return text[:index] + sign.upper() + text[index + 1 :]
        if sign.isdigit():
            break
    return text


def without_capital(text: str) -> str:
    """A capital that only the start of the sentence gave is taken back; NASA, iPhone and I keep theirs."""
    word = re.match(r"\w+", text)
    if word and (word.group() == "A" or (word.group()[0].isupper() and word.group()[1:].islower())):
        return text[0].lower() + text[1:]
    return text
