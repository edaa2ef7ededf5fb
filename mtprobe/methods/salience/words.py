"""The words of a sentence by their places, and which of them two sentences do not share."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from mtprobe.engine.tokenizers.spans import Span


def word_spans(text: str) -> list[Span]:
    """Words and signs, each by itself; what stands within a word, as an apostrophe or a hyphen, is part of it."""
    spans: list[Span] = []
    for chunk in re.finditer(r"\S+", text):
        start, end = chunk.span()
        behind: list[Span] = []
        while start < end and is_sign(text[start]):
            spans.append((start, start + 1))
            start += 1
        while end > start and is_sign(text[end - 1]):
            behind.append((end - 1, end))
            end -= 1
        spans += [*([(start, end)] if start < end else ()), *reversed(behind)]
    return spans


def is_sign(text: str) -> bool:
    """Whether there is nothing but punctuation and symbols."""
    return all(unicodedata.category(letter)[0] in "PSZC" for letter in text)


def differing(one: str, other: str) -> list[Span]:
    """The words of the one that the other does not have in their places; words that follow each other are one span."""
    return [mine for mine, _ in differences(one, other)]


def differences(one: str, other: str) -> list[tuple[Span, Span | None]]:
    """The same, each with what the other has in its place."""
    mine, theirs = word_spans(one), word_spans(other)
    return [
        (
            (mine[start][0], mine[end - 1][1]),
            (theirs[their_start][0], theirs[their_end - 1][1]) if their_end > their_start else None,
        )
        for kind, start, end, their_start, their_end in _matched(one, mine, other, theirs).get_opcodes()
        if kind in ("replace", "delete")
    ]


def alike(one: str, other: str) -> bool:
    """Whether the two are variants of one sentence: most of their words are the same, in the same order."""
    return _matched(one, word_spans(one), other, word_spans(other)).ratio() >= 0.5


def _matched(one: str, mine: Sequence[Span], other: str, theirs: Sequence[Span]) -> SequenceMatcher[str]:
    return SequenceMatcher(
        None,
        [one[start:end].casefold() for start, end in mine],
        [other[start:end].casefold() for start, end in theirs],
        autojunk=False,
    )
