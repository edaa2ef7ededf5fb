"""Where a word stands in a sentence."""

from __future__ import annotations

import re


def find_word(word: str, text: str) -> tuple[int, int] | None:
    """Where the word stands: by itself, else with a capital, in a compound, or with an ending; the first of these."""
    plain = re.escape(word)
    alone = rf"(?<![\w-]){plain}(?![\w-])"
    inside = rf"(?<!\w){plain}(?!\w)"
    inflected = rf"(?<!\w){plain}\w{{1,3}}(?!\w)"
    for pattern in (alone, f"(?i:{alone})", inside, f"(?i:{inside})", f"(?i:{inflected})"):
        if found := re.search(pattern, text):
            return found.span()
    return None
