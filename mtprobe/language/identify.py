"""Identifies the language and script of a text, to decide whether it is certainly in the wrong language."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.metadata import version
from io import BytesIO
from threading import Lock
from typing import Any

from mtprobe.language import tags
from mtprobe.language.kept import expect, kept_or_computed

VERSION = 1  # to be raised whenever the same text may be judged otherwise

# With fewer words the identifier only guesses.
_MIN_WORDS = 4
# How much likelier (natural log) another language must be than the target. On 40,000 sentences of
# Tatoeba this rejects 1 in 5,000 by mistake and finds 99.6 % of English among Portuguese.
_MARGIN = 12.0
# Too close to each other to be distinguished by letters.
_TWINS = (frozenset({"hr", "bs", "sr", "sh"}), frozenset({"no", "nb", "nn"}), frozenset({"id", "ms"}))

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


_LOADING = Lock()


class _InMemory:
    """Takes the place of `tempfile` in py3langid, which unpacks its model (68 MB) to disk, where there may be no room."""

    @staticmethod
    def TemporaryFile(**_: object) -> BytesIO:
        return BytesIO()


@cache
def _identifier() -> Any:
    from py3langid import modelio
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    with _LOADING:
        before = modelio.tempfile
        modelio.tempfile = _InMemory
        try:
            return LanguageIdentifier.from_model_file(MODEL_FILE)
        finally:
            modelio.tempfile = before


def another_language(text: str, target: str) -> str | None:
    """The language of the text if that is certainly not `target`; None if it may be."""
    if len(text.split()) < _MIN_WORDS:
        return None
    return kept_or_computed(_procedure(), [(text, target)], lambda _: [_another(text, target)], _tag)[0]


def expect_texts(texts: Iterable[str], target: str) -> None:
    """To be called before many texts are asked about: what is kept about them is read at once."""
    expect(_procedure(), [(text, target) for text in texts if len(text.split()) >= _MIN_WORDS])


@cache
def _procedure() -> str:
    return f"language identification py3langid {version('py3langid')} margin {_MARGIN} {VERSION}"


def _tag(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("not a language")
    return value


def _another(text: str, target: str) -> str | None:
    accepted = _accepted(target)
    best, highest = _identifier().classify(text)
    if best in accepted or not accepted:  # nearly always
        return None
    scores = dict(_identifier().rank(text))
    return best if highest - max(scores[language] for language in accepted) > _MARGIN else None


@lru_cache(maxsize=64)
def _accepted(target: str) -> frozenset[str]:
    """The answers that are right for a text in the language; none if the identifier does not know it."""
    wanted = tags.standard(target).split("-")[0]
    twins = next((twins for twins in _TWINS if wanted in twins), frozenset({wanted}))
    return twins & frozenset(_identifier().nb_classes)


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
