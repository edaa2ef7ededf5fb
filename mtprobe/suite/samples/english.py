"""Two corrections that English needs when words are inserted into a sentence: a/an, and the capital letter."""

from __future__ import annotations

import re

# Spelled with a consonant but pronounced with a vowel, and the reverse.
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_SPOKEN_AS_CONSONANT = re.compile(
    r"(?:eu|ewe|one(?:\b|-|s\b|ness)|once|oui|u(?:ni(?![dmn])|s[aeiu]|t(?:e[nr]|i[ln]|o)|k|r(?:a[nl]|[eiou])|biq|fo|gand|v))"
)
_VOWELS = frozenset("aeiouàáâäåæèéêëìíîïòóôöøœùúûü")
_INITIALS = re.compile(r"[A-Z](?:[A-Z]{1,2}|[B-DF-HJ-NP-TV-Z]{3,})?")  # X, EU, FBI, HTML; not NASA
_INITIALS_READ_AS_A_WORD = ("LAN", "RAM", "ROM", "SIM")
_LETTERS_SPOKEN_WITH_A_VOWEL = frozenset("AEFHILMNORSX")
_NUMBERS_SPOKEN_WITH_A_VOWEL = re.compile(r"8|(?:11|18)(?:\d\d)?(?!\d)")  # 8, 80, 11, 18, 1850

_OPENING = "\"'“‘«(["
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)]*\s+[\"'“‘«(\[]*$")
_ABBREVIATIONS = ("mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e")
_ARTICLE_BEFORE = re.compile(r"(?:(?<=\s)|(?<=^)|(?<=[\"'“‘(\[]))(an?)(\s+)$", re.IGNORECASE)


def takes_an(following: str) -> bool:
    """Whether the article before these words is "an": by sound, not by letter."""
    word = re.search(r"\w[\w-]*", following)
    if not word:
        return False
    spoken = word.group()
    if spoken[0].isdigit():
        return bool(_NUMBERS_SPOKEN_WITH_A_VOWEL.match(spoken))
    if spoken[0] == "U" and spoken[1:2].isupper():
        return False  # UN, UEFA, USB
    head = spoken.partition("-")[0]
    if _INITIALS.fullmatch(head) and head not in _INITIALS_READ_AS_A_WORD:
        return head[0] in _LETTERS_SPOKEN_WITH_A_VOWEL
    lower = spoken.lower()
    if lower.startswith(_SILENT_H):
        return True
    return lower[0] in _VOWELS and not _SPOKEN_AS_CONSONANT.match(lower)


def with_article(before: str, following: str) -> str:
    """`before`, with an a/an at its end made to fit what follows."""
    match = _ARTICLE_BEFORE.search(before)
    if not match:
        return before
    article = "an" if takes_an(following) else "a"
    if match.group(1)[0].isupper():
        article = article.capitalize()
    return before[: match.start(1)] + article + match.group(2)


def starts_sentence(before: str) -> bool:
    """Whether what follows `before` starts a sentence, and so needs a capital."""
    if not before.strip(_OPENING + " \t"):
        return True
    end = _SENTENCE_END.search(before)
    if not end:
        return False
    last = before[: end.start()].casefold().split()[-1:]
    return not last or last[0].lstrip(_OPENING) not in _ABBREVIATIONS


def capitalised(text: str) -> str:
    """The text with its first letter capitalised, whatever punctuation precedes it; a placeholder stays as it is."""
    for index, character in enumerate(text):
        if character.isalpha():
            return text[:index] + character.upper() + text[index + 1 :]
        if character.isdigit() or character in "{%$":
            break
    return text


def without_capital(text: str) -> str:
    """Without the capital that only the start of a sentence requires; NASA, iPhone and I keep theirs."""
    word = re.match(r"\w+", text)
    if word and (word.group() == "A" or (word.group()[0].isupper() and word.group()[1:].islower())):
        return text[0].lower() + text[1:]
    return text
