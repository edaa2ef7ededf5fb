"""The words of a sentence in scripts with spaces, and mtprobe's word lists."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

# Parts that a hyphen, star, colon or slash joins are one word: *Lehrer*innen* is not *Lehrer*, and a *doctor-patient*
# is not a *doctor*. An apostrophe separates words: *l'avocat*, *doctor's*.
_WORD = re.compile(r"\w+(?:[-‐*:/·]\w+)*")

# Here an apostrophe joins: *doesn't* is one word of English.
ENGLISH_WORD = re.compile(r"\w+(?:[-‐'’]\w+)*")

_LETTERS = re.compile(r"\w+")


def words_of(sentence: str) -> list[str]:
    """The words as they are in the sentence, without punctuation, composed (NFC)."""
    return _WORD.findall(unicodedata.normalize("NFC", sentence))


def english_words(sentence: str) -> list[str]:
    return ENGLISH_WORD.findall(sentence)


def letter_runs(text: str) -> list[str]:
    """Unbroken runs of letters and digits: a rough measure of content in any language."""
    return _LETTERS.findall(text)


@cache
def word_file(package: str, *path: str) -> dict[str, Any]:
    """A file of word lists inside a package: YAML in which every word is text, *no* and *on* too."""
    text = files(package).joinpath(*path).read_text(encoding="utf-8")
    lists: dict[str, Any] = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - creates only text
    return lists
