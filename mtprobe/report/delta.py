"""Texts that differ little from another text, written as the difference."""

from __future__ import annotations

_LAST_OF_ONE_UNIT = "\uffff"


def utf16(text: str, place: int) -> int:
    """A place in a text, counted in UTF-16 units."""
    before = text[:place]
    return place + sum(sign > _LAST_OF_ONE_UNIT for sign in before) if _wide(before) else place


def delta(before: str, text: str) -> tuple[int, int, str]:
    """How many signs both start with, how many both end with, and what `text` has between.

    Texts with signs outside of the basic plane are written whole: their places would not be the same everywhere.
    """
    if _wide(before) or _wide(text):
        return 0, 0, text
    start = _alike(before, text)
    end = min(_alike(before[::-1], text[::-1]), min(len(before), len(text)) - start)
    return start, end, text[start : len(text) - end]


def _alike(one: str, other: str) -> int:
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))


def _wide(text: str) -> bool:
    return not text.isascii() and max(text) > _LAST_OF_ONE_UNIT
