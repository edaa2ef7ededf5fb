"""Words that are looked for in a translation, as a suite writes them: `Vorspeise`, `nehmen * frei`, `Schluck|noun`."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from mtprobe.errors import did_you_mean

GAP = "*"

# What a suite calls a part of speech → the tags of Universal Dependencies that it stands for.
PARTS_OF_SPEECH: dict[str, frozenset[str]] = {
    "noun": frozenset({"NOUN", "PROPN"}),
    "verb": frozenset({"VERB", "AUX"}),
    "adjective": frozenset({"ADJ"}),
    "adverb": frozenset({"ADV"}),
    "pronoun": frozenset({"PRON", "DET"}),
    "preposition": frozenset({"ADP"}),
    "numeral": frozenset({"NUM"}),
    "interjection": frozenset({"INTJ"}),
}


class Part(NamedTuple):
    """A word of a lexeme, and the part of speech that it must be; an empty one is any."""

    text: str
    pos: str = ""


Lexeme: TypeAlias = tuple[tuple[Part, ...], ...]
"""Runs of words that stand side by side; between two runs any number of words may stand, none too."""


class LexemeError(ValueError):
    """A lexeme that cannot be read."""


@lru_cache(1 << 16)
def read_lexeme(text: str) -> Lexeme:
    """The runs of a lexeme. A gap at its beginning or end says nothing, and is dropped."""
    runs: list[list[Part]] = [[]]
    for written in text.split():
        if written == GAP:
            runs.append([])
        else:
            runs[-1].append(_part(written, text))
    found = tuple(tuple(run) for run in runs if run)
    if not found:
        raise LexemeError(f'"{text}" holds no word')
    return found


def _part(written: str, lexeme: str) -> Part:
    word, bar, pos = written.rpartition("|")
    if not bar:
        word, pos = written, ""
    elif pos.casefold() not in PARTS_OF_SPEECH:
        raise LexemeError(
            f'"{lexeme}": "{pos}" is no part of speech{did_you_mean(pos.casefold(), PARTS_OF_SPEECH)}'
        )
    if not any(sign.isalnum() for sign in word):
        raise LexemeError(f'"{lexeme}": "{word}" is no word')
    if word.startswith(GAP) or word.endswith(GAP):
        raise LexemeError(f'"{lexeme}": a `*` stands for whole words; put spaces around it')
    return Part(word, pos.casefold())
