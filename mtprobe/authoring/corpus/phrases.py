"""Finds which of many phrases occur in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from mtprobe.language.words import words_of

Value = TypeVar("Value")


class Phrases(Generic[Value]):
    """Phrases of one or more words. A capitalised phrase is only found capitalised."""

    def __init__(self, phrases: Iterable[tuple[str, Value]], *, case_sensitive: bool = True) -> None:
        self._exact: dict[str, list[tuple[tuple[str, ...], Value]]] = {}
        self._folded: dict[str, list[tuple[tuple[str, ...], Value]]] = {}
        for phrase, value in phrases:
            exact = case_sensitive and phrase != phrase.lower()
            words = tuple(words_of(phrase if exact else phrase.casefold()))
            if words:
                table = self._exact if exact else self._folded
                table.setdefault(words[0], []).append((words, value))

    def in_text(self, sentence: str) -> set[Value]:
        """The values of the phrases that occur in a sentence."""
        values = self._search(self._folded, words_of(sentence.casefold())) if self._folded else set()
        return values | self._search(self._exact, words_of(sentence)) if self._exact else values

    def in_words(self, words: Sequence[str]) -> set[Value]:
        """The same for a list of words, such as lemmas."""
        values = self._search(self._folded, [word.casefold() for word in words]) if self._folded else set()
        return values | self._search(self._exact, words) if self._exact else values

    @staticmethod
    def _search(table: dict[str, list[tuple[tuple[str, ...], Value]]], words: Sequence[str]) -> set[Value]:
        if table.keys().isdisjoint(words):  # nearly always
            return set()
        return {
            value
            for at, word in enumerate(words)
            for phrase, value in table.get(word, ())
            if len(phrase) == 1 or tuple(words[at : at + len(phrase)]) == phrase
        }
