"""Texts that differ little from another text, written as the difference."""

from __future__ import annotations

from collections.abc import Callable

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
    shorter = min(len(before), len(text))
    start = _longest(shorter, lambda low, high: before[low:high] == text[low:high])
    end = _longest(
        shorter - start,
        lambda low, high: (
            before[len(before) - high : len(before) - low] == text[len(text) - high : len(text) - low]
        ),
    )
    return start, end, text[start : len(text) - end]


def _longest(most: int, alike: Callable[[int, int], bool]) -> int:
    """How far two texts are alike. By halves: comparing slices is far quicker than sign by sign."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if alike(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _wide(text: str) -> bool:
    return not text.isascii() and max(text) > _LAST_OF_ONE_UNIT
