"""Shared by the generators: a line of parallel text, changes to its target, and the word lists in `words`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, TypeAlias

from mtprobe.language.tagging import Tagged
from mtprobe.language.words import english_words, word_file


@dataclass(frozen=True)
class Line:
    """A source and its analysed translation."""

    source: str
    target: str
    tokens: tuple[Tagged, ...] = field(repr=False)

    @cached_property
    def source_words(self) -> tuple[str, ...]:
        """In lower case, with straight apostrophes: *don't* is one word."""
        return tuple(word.lower().replace("’", "'") for word in english_words(self.source))

    @cached_property
    def words(self) -> tuple[Tagged, ...]:
        """The tokens except punctuation."""
        return tuple(token for token in self.tokens if token.text[0].isalnum())

    @cached_property
    def lows(self) -> frozenset[str]:
        """The target's words in lower case."""
        return frozenset(token.low for token in self.words)

    def is_name(self, token: Tagged) -> bool:
        """Whether a capitalised word is or may be a name: names are in the source as well."""
        return (
            token.pos == "PROPN"
            or token.low in self.source_words
            or token.low.rstrip("s") in self.source_words
        )

    def at(self, position: int) -> Tagged | None:
        """A token, or None outside the sentence."""
        return self.tokens[position] if 0 <= position < len(self.tokens) else None

    def initial(self, position: int) -> bool:
        """Whether a sentence begins with this token."""
        before = self.at(position - 1)
        return before is None or before.text in '.!?…:"“”„»«–'


@dataclass(frozen=True, slots=True)
class Change:
    """One span of a target, and what makes it wrong.

    `right` and `wrong` are the words that show the phenomenon on each side, also in another translation of the
    source: the negated word, an article with its noun.
    """

    start: int
    end: int
    new: str
    right: str
    wrong: str
    group: str = ""  # changes that share it are not independent: the content word; empty: one per line

    def applied_to(self, target: str) -> str:
        return target[: self.start] + self.new + target[self.end :]


@dataclass(frozen=True, slots=True)
class Dropped:
    """The phenomenon is there, but it is uncertain whether the change makes it wrong."""

    reason: str


Changes: TypeAlias = Callable[[Line], Iterator[Change | Dropped]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of change in one language."""

    name: str
    about: str
    changes: Changes
    # Whether another translation shows the same phenomenon; both arguments as in `Change.right`.
    same: Callable[[str, str], bool]
    # Whether a translation with the wrong words is wrong, and fixed by the right ones.
    repairable: Callable[[Line], bool]


def equal(mine: str, theirs: str) -> bool:
    return mine == theirs


def never(_: Line) -> bool:
    return False


def always(_: Line) -> bool:
    return True


def like(text: str, model: str) -> str:
    """The text with a capital if the model has one."""
    return text[:1].upper() + text[1:] if model[:1].isupper() else text


def replaced(token: Tagged, new: str, right: str, wrong: str, group: str = "") -> Change:
    """Replaces one word by another."""
    return Change(token.start, token.end, like(new, token.text), right, wrong, group)


def deleted(line: Line, token: Tagged, right: str, group: str = "") -> Change:
    """Deletes a word and a space; a new first word of the sentence is capitalised."""
    text = line.target
    start, end = token.start, token.end
    if end < len(text) and text[end] == " ":
        end += 1
    elif start and text[start - 1] == " ":
        start -= 1
    new = ""
    if token.text[0].isupper() and end < len(text) and text[end].islower():
        new, end = text[end].upper(), end + 1
    return Change(start, end, new, right, "", group)


def table(language: str, name: str) -> Any:
    """One list or mapping of a language's file."""
    return word_file("mtprobe.authoring.pairs", "words", f"{language}.yaml")[name]


@cache
def words(language: str, name: str) -> frozenset[str]:
    """A list as a set."""
    return frozenset(table(language, name))
