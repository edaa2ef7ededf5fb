"""Texts stored as differences from a similar text."""

from __future__ import annotations

from collections.abc import Callable

_LAST_OF_ONE_UNIT = "\uffff"


def utf16(text: str, position: int) -> int:
    """A position in a text, in UTF-16 units."""
    before = text[:position]
    if not _wide(before):
        return position
    return position + sum(character > _LAST_OF_ONE_UNIT for character in before)


def delta(before: str, text: str) -> tuple[int, int, str]:
    """The lengths of the common start and end, and what `text` has in between.

    Texts with characters outside the basic plane are stored in full: their positions differ between languages.
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
    """How far two texts are alike, by bisection: comparing slices is much faster than characters."""
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
