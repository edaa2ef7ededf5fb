"""Winograd schemas → contrastive translations (Emelin and Sennrich, 2021): which noun is *it*, as shown by the pronoun's gender."""

from __future__ import annotations

from typing import Any

from mtprobe.language.words import word_file

LANGUAGES = ("de", "fr", "pt", "ru")


def word_lists(language: str) -> dict[str, Any]:
    """The lists of `words`."""
    return word_file(__name__, "words", f"{language}.yaml")
