"""Which script a text is written in."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from mtprobe.language import tags

# How the Unicode names of a script's letters begin; other scripts are not checked.
_LETTERS = {
    "Arab": ("ARABIC",),
    "Armn": ("ARMENIAN",),
    "Beng": ("BENGALI",),
    "Cyrl": ("CYRILLIC",),
    "Deva": ("DEVANAGARI",),
    "Ethi": ("ETHIOPIC",),
    "Geor": ("GEORGIAN",),
    "Grek": ("GREEK",),
    "Gujr": ("GUJARATI",),
    "Guru": ("GURMUKHI",),
    "Hans": ("CJK",),
    "Hant": ("CJK",),
    "Hebr": ("HEBREW",),
    "Jpan": ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"),
    "Khmr": ("KHMER",),
    "Knda": ("KANNADA",),
    "Kore": ("HANGUL", "CJK"),
    "Laoo": ("LAO",),
    "Latn": ("LATIN",),
    "Mlym": ("MALAYALAM",),
    "Mymr": ("MYANMAR",),
    "Orya": ("ORIYA",),
    "Sinh": ("SINHALA",),
    "Taml": ("TAMIL",),
    "Telu": ("TELUGU",),
    "Thai": ("THAI",),
}
_WITHOUT_SPACES = {"Hans", "Hant", "Hani", "Jpan", "Khmr", "Laoo", "Mymr", "Thai", "Tibt"}
_WRITTEN_IN_TWO = {"sr", "bs", "uz", "az", "kk", "tt", "mn", "ms", "ku", "sh", "me", "pa", "ha", "tk"}


def puts_spaces_between_words(language: str) -> bool:
    return tags.script(language) not in _WITHOUT_SPACES


@lru_cache(maxsize=8192)
def _alphabet(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0].removesuffix("-1")


def share_in_script(text: str, language: str) -> float | None:
    """The share of letters in the script of the language; None if that is unknown."""
    expected = _LETTERS.get(tags.script(language))
    letters = [character for character in text if character.isalpha()]
    if expected is None or not letters or tags.standard(language).split("-")[0] in _WRITTEN_IN_TWO:
        return None
    return sum(_alphabet(letter) in expected for letter in letters) / len(letters)
