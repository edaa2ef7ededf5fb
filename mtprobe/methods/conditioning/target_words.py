"""The words of a translation as groups of a scorer's tokens."""

from __future__ import annotations

import re

from mtprobe.store import Spans

# As in `language/words.py`, but with places in the text.
_WORD = re.compile(r"\w+(?:[-‐*:/·]\w+)*")

# Thai, Lao, Myanmar, Khmer, Japanese and Chinese have no spaces between words; there a token is the best guess.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def word_spans(text: str) -> list[tuple[int, int]]:
    """The spans of the words of a text."""
    return [match.span() for match in _WORD.finditer(text)]


def token_groups(text: str, spans: Spans) -> list[tuple[int, ...]]:
    """The tokens of each word, by their places in the text.

    A token that has no text of its own, such as the space before a word, belongs to the word that follows.
    """
    owners: list[list[int]] = []  # tokens with text, each after those without
    places: list[tuple[int, int]] = []
    waiting: list[int] = []
    for number, span in enumerate(spans):
        if span is None:  # the end of the sentence
            waiting = []
        elif span[0] == span[1]:
            waiting.append(number)
        else:
            owners.append([*waiting, number])
            places.append(span)
            waiting = []
    groups: list[tuple[int, ...]] = []
    for start, end in word_spans(text):
        inside = [
            owner
            for owner, place in zip(owners, places, strict=True)
            if max(start, place[0]) < min(end, place[1])
        ]
        if _UNSPACED.search(text, start, end):
            groups += [tuple(owner) for owner in inside]
        elif inside:
            groups.append(tuple(number for owner in inside for number in owner))
    return groups
