"""Finds a word in a sentence."""

from __future__ import annotations

import re


def find_word(word: str, text: str) -> tuple[int, int] | None:
    """The span of the word: by itself, else with a capital, in a compound, or with an ending; the first of these."""
    plain = re.escape(word)
    alone = rf"(?<![\w-]){plain}(?![\w-])"
    inside = rf"(?<!\w){plain}(?!\w)"
    inflected = rf"(?<!\w){plain}\w{{1,3}}(?!\w)"
    for pattern in (alone, f"(?i:{alone})", inside, f"(?i:{inside})", f"(?i:{inflected})"):
        if match := re.search(pattern, text):
            return match.span()
    return None
