"""Lexemes to find in a translation, as written in suites: `Vorspeise`, `nehmen * frei`, `Schluck|noun`."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from mtprobe.errors import did_you_mean

GAP = "*"

# Part of speech as a suite writes it → its tags in Universal Dependencies.
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
    """A word of a lexeme and its part of speech; empty for any."""

    text: str
    pos: str = ""


Lexeme: TypeAlias = tuple[tuple[Part, ...], ...]
"""Runs of adjacent words, with any number of words, also none, between two runs."""


class LexemeError(ValueError):
    """A lexeme that cannot be read."""


@lru_cache(1 << 16)
def read_lexeme(text: str) -> Lexeme:
    """The runs of a lexeme. A gap at its beginning or end means nothing and is dropped."""
    runs: list[list[Part]] = [[]]
    for written in text.split():
        if written == GAP:
            runs.append([])
        else:
            runs[-1].append(_part(written, text))
    lexeme = tuple(tuple(run) for run in runs if run)
    if not lexeme:
        raise LexemeError(f'"{text}" contains no word')
    return lexeme


def _part(written: str, lexeme: str) -> Part:
    word, bar, pos = written.rpartition("|")
    if not bar:
        word, pos = written, ""
    elif pos.casefold() not in PARTS_OF_SPEECH:
        raise LexemeError(
            f'"{lexeme}": "{pos}" is not a part of speech{did_you_mean(pos.casefold(), PARTS_OF_SPEECH)}'
        )
    if not any(sign.isalnum() for sign in word):
        raise LexemeError(f'"{lexeme}": "{word}" is not a word')
    if word.startswith(GAP) or word.endswith(GAP):
        raise LexemeError(f'"{lexeme}": a `*` stands for whole words; put spaces around it')
    return Part(word, pos.casefold())
