"""Masks text that is meant for programs: digits in a web address or a placeholder are not numbers."""

from __future__ import annotations

from functools import lru_cache

from mtprobe.language.invariants.kind import Text
from mtprobe.language.invariants.literals import Emails, Urls
from mtprobe.language.invariants.markup import Tags
from mtprobe.language.invariants.placeholders import Placeholders

_LITERAL = (Placeholders(), Tags(), Urls(), Emails())
_FILLER = "\ufffc"  # stands for an object in a text


@lru_cache(maxsize=8)
def masked(text: Text) -> Text:
    """The text with every character of addresses, tags and placeholders replaced, so that positions stay."""
    characters = list(text.text)
    for kind in _LITERAL:
        for item in kind.items(text):
            characters[item.start : item.end] = _FILLER * len(item.text)
    return Text("".join(characters), text.language)
