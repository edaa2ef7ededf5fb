"""The spans of a sentence's words, and the words in which two sentences differ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from mtprobe.engine.tokenizers.spans import Span


def word_spans(text: str) -> list[Span]:
    """Words and punctuation marks; a mark inside a word, such as an apostrophe or a hyphen, is part of it."""
    spans: list[Span] = []
    for chunk in re.finditer(r"\S+", text):
        start, end = chunk.span()
        after: list[Span] = []
        while start < end and is_punctuation(text[start]):
            spans.append((start, start + 1))
            start += 1
        while end > start and is_punctuation(text[end - 1]):
            after.append((end - 1, end))
            end -= 1
        spans += [*([(start, end)] if start < end else ()), *reversed(after)]
    return spans


def is_punctuation(text: str) -> bool:
    """Whether the text is punctuation and symbols only."""
    return all(unicodedata.category(letter)[0] in "PSZC" for letter in text)


def unshared(text: str, other: str) -> list[Span]:
    """The words of the text that the other does not have in their place; adjacent words are one span."""
    return [mine for mine, _ in differences(text, other)]


def differences(text: str, other: str) -> list[tuple[Span, Span | None]]:
    """Unshared words, each with what the other has in its place."""
    mine, theirs = word_spans(text), word_spans(other)
    return [
        (
            (mine[start][0], mine[end - 1][1]),
            (theirs[their_start][0], theirs[their_end - 1][1]) if their_end > their_start else None,
        )
        for kind, start, end, their_start, their_end in _matcher(text, mine, other, theirs).get_opcodes()
        if kind in ("replace", "delete")
    ]


def is_variant(text: str, other: str) -> bool:
    """Whether the two are variants of one sentence: most of their words are the same, in the same order."""
    return _matcher(text, word_spans(text), other, word_spans(other)).ratio() >= 0.5


def _matcher(text: str, mine: Sequence[Span], other: str, theirs: Sequence[Span]) -> SequenceMatcher[str]:
    return SequenceMatcher(
        None,
        [text[start:end].casefold() for start, end in mine],
        [other[start:end].casefold() for start, end in theirs],
        autojunk=False,
    )
