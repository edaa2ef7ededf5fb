"""Alignment links between whitespace-separated tokens."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple, TypeAlias

_LINK = re.compile(r"(\d{1,9})-(\d{1,9})")


class Link(NamedTuple):
    """One source token and one target token that translate each other; both count from 0."""

    source: int
    target: int


Alignment: TypeAlias = tuple[Link, ...]


class SentencePair(NamedTuple):
    """A source and its translation."""

    source: str
    translation: str


def read_alignment(text: str) -> Alignment:
    """A line in Pharaoh format, `0-0 1-2`; anything else is a ValueError."""
    links = []
    for part in text.split():
        match = _LINK.fullmatch(part)
        if match is None:
            raise ValueError(f'"{part}" is not an alignment link; write it like 3-4')
        links.append(Link(int(match[1]), int(match[2])))
    return tuple(links)


def check_alignment(alignment: Alignment, pair: SentencePair) -> None:
    """A ValueError if a link names a token that the pair does not have."""
    for side, text, last in (
        ("source", pair.source, max((link.source for link in alignment), default=-1)),
        ("translation", pair.translation, max((link.target for link in alignment), default=-1)),
    ):
        if last >= (count := len(text.split())):
            raise ValueError(f"the alignment names word {last}; the {side} has {count} words, counted from 0")


def tokens_in(text: str, span: tuple[int, int]) -> range:
    """The tokens that a span of characters overlaps."""
    first = len(text[: span[0]].split())
    if text[: span[0]].strip() and not text[span[0] - 1].isspace():
        first -= 1  # it begins inside a token: “(nurse”
    return range(first, max(first + 1, len(text[: span[1]].split())))


def aligned_to(alignment: Collection[Link], sources: Collection[int]) -> list[int]:
    """The target tokens of these source tokens, in order."""
    return sorted({link.target for link in alignment if link.source in sources})
