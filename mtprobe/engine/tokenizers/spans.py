"""Maps the pieces of a tokenizer back to spans of the text, which it may have normalised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
_SPACE = "▁"


def spans_of(pieces: Sequence[str], text: str) -> list[Span]:
    """The span of each piece in the text, without the space before it; empty if none of it is in the text.

    The pieces are SentencePiece's: joined, they are the text with `▁` for spaces.
    """
    characters = "".join(pieces).replace(_SPACE, " ")
    character_spans = _character_spans(characters, text)
    spans: list[Span] = []
    start = last_end = 0
    for piece in pieces:
        covered = [
            span
            for span, character in zip(character_spans[start : start + len(piece)], piece, strict=True)
            if span and character != _SPACE
        ]
        start += len(piece)
        span = (min(first for first, _ in covered), max(end for _, end in covered)) if covered else None
        spans.append(span or (last_end, last_end))
        last_end = spans[-1][1]
    return spans


def spans_among_special(
    pieces: Sequence[str], text: str, is_special: Callable[[str], bool]
) -> list[Span | None]:
    """The same for pieces that include special tokens, which have no span."""
    plain = iter(spans_of([piece for piece in pieces if not is_special(piece)], text))
    return [None if is_special(piece) else next(plain) for piece in pieces]


def _character_spans(characters: str, text: str) -> list[Span | None]:
    """The origin of each character; one produced by normalisation comes from everything that it replaces."""
    if characters.removeprefix(" ") == text:
        shift = len(text) - len(characters)
        starts = range(shift, len(text))
        return [(start, start + 1) if start >= 0 else None for start in starts]
    spans: list[Span | None] = [None] * len(characters)
    matcher = SequenceMatcher(None, characters, text, autojunk=False)
    for kind, start, end, text_start, text_end in matcher.get_opcodes():
        for index in range(start, end):
            if kind == "equal":
                spans[index] = (text_start + index - start, text_start + index - start + 1)
            elif kind == "replace":
                spans[index] = (text_start, text_end)
    return spans
