"""The words in which two translations of a sentence differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

# White space, a character of a script without spaces, punctuation, or what is between them: a word with its marks.
_PUNCTUATION = "!-/:-@\\[-`{-~¡-¿‐-‧‹›⁇-⁉、。「」『』！（），：；？"
_ALONE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"\s+|[{_ALONE}{_PUNCTUATION}]|[^\s{_ALONE}{_PUNCTUATION}]+")
_MOST = 400  # tokens: comparing takes their square


def tokens(text: str) -> list[str]:
    """The text in pieces: words, spaces, and each sign by itself."""
    return _TOKEN.findall(text)


class Part(NamedTuple):
    """A piece of a text."""

    text: str
    changed: bool


def word_diff(before: str, after: str) -> tuple[list[Part], list[Part]]:
    """Both texts, with what the other one lacks. Texts without a common word have no changed parts: all is new."""
    old, new = tokens(before), tokens(after)
    plain = [Part(before, changed=False)], [Part(after, changed=False)]
    if before == after or max(len(old), len(new)) > _MOST:
        return plain
    same_old, same_new = [False] * len(old), [False] * len(new)
    for start, other, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        same_old[start : start + size] = [True] * size
        same_new[other : other + size] = [True] * size
    if not any(same and token.strip(_SIGNS) for token, same in zip(old, same_old, strict=True)):
        return plain
    return _parts(old, same_old), _parts(new, same_new)


_SIGNS = " \t\n.,;:!?…。、！？"


def _parts(pieces: Sequence[str], same: Sequence[bool]) -> list[Part]:
    """Neighbours in one piece; a space between two changed words is changed, at the edge of them it is not."""
    changed = [not alike for alike in same]
    for at in range(1, len(pieces) - 1):
        if pieces[at].isspace():
            changed[at] = changed[at - 1] and changed[at + 1]
    return [
        Part("".join(token for token, _ in group), changed=bool(key))
        for key, group in groupby(zip(pieces, changed, strict=True), key=lambda pair: pair[1])
    ]


def in_brackets(parts: Iterable[Part], opening: str, closing: str) -> str:
    """With brackets around what changed, as `git diff --word-diff` has them."""
    return "".join(f"{opening}{part.text}{closing}" if part.changed else part.text for part in parts)
