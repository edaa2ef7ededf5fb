"""A noun becomes a placeholder: *Ding*, *coisa*, uninflected. An implausible error, so a control."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, words

ABOUT = "Does the model score a noun above a placeholder in its place? A control: models do not write placeholders."
_SHORTEST = 3
_ADJECTIVES = ("e", "en", "er", "es", "em")


def _changes(placeholder: str, line: Line) -> Iterator[Change | Dropped]:
    for position, token in enumerate(line.tokens):
        if token.pos != "NOUN" or len(token.text) < _SHORTEST or "-" in token.text:
            continue
        if token.low.startswith(placeholder.lower()):
            continue
        if token.text[0].isupper() and not _determined(line, position):
            yield Dropped("no determiner or adjective before the noun: it may be a name")
            continue
        if line.is_name(token):
            yield Dropped("the noun is in the source too, and may be a name")
        else:
            yield Change(token.start, token.end, placeholder, token.low, placeholder.lower(), token.low)


def _determined(line: Line, position: int) -> bool:
    """Whether the words before a noun rarely precede a name."""
    before = line.at(position - 1)
    if before is None:
        return False
    if before.pos in ("DET", "NUM", "ADJ") or before.low in words("de", "contractions"):
        return True
    first = line.at(position - 2)
    adjective = before.pos == "" and before.text.islower() and before.low.endswith(_ADJECTIVES)
    return adjective and first is not None and first.pos in ("DET", "ADP", "NUM")


LANGUAGES: dict[str, Changes] = {"de": partial(_changes, "Ding"), "pt": partial(_changes, "coisa")}
