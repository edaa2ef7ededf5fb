"""Where the pieces of a text stand in it, although a tokenizer may have normalised it on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
_SPACE = "▁"


def spans_of(pieces: Sequence[str], text: str) -> list[Span]:
    """The span of each piece in the text, without the space before it; empty where nothing of it is there.

    Pieces are those of SentencePiece: together the text, with `▁` for spaces.
    """
    letters = "".join(pieces).replace(_SPACE, " ")
    places = _places(letters, text)
    spans: list[Span] = []
    start = at = 0
    for piece in pieces:
        found = [
            place
            for place, letter in zip(places[start : start + len(piece)], piece, strict=True)
            if place and letter != _SPACE
        ]
        start += len(piece)
        spans.append((min(one for one, _ in found), max(end for _, end in found)) if found else (at, at))
        at = spans[-1][1]
    return spans


def spans_among_special(
    pieces: Sequence[str], text: str, is_special: Callable[[str], bool]
) -> list[Span | None]:
    """The same, where some pieces are special tokens: those stand nowhere."""
    plain = iter(spans_of([piece for piece in pieces if not is_special(piece)], text))
    return [None if is_special(piece) else next(plain) for piece in pieces]


def _places(letters: str, text: str) -> list[Span | None]:
    """Where each letter comes from; one that normalisation made comes from all that stands in its place."""
    if letters.removeprefix(" ") == text:
        shift = len(text) - len(letters)
        return [(at + shift, at + shift + 1) if at + shift >= 0 else None for at in range(len(letters))]
    places: list[Span | None] = [None] * len(letters)
    for kind, one, one_end, other, other_end in SequenceMatcher(
        None, letters, text, autojunk=False
    ).get_opcodes():
        for at in range(one, one_end):
            if kind == "equal":
                places[at] = (other + at - one, other + at - one + 1)
            elif kind == "replace":
                places[at] = (other, other_end)
    return places
