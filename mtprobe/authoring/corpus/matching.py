"""Finds inventory items in sentence pairs: words of the source, and the classes of their translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from mtprobe.language.lemmatizers import Lemmatizer
from mtprobe.language.words import words_of

Value = TypeVar("Value")
Classes: TypeAlias = tuple[int, ...]
"""The numbers of the classes in one target side; usually one or none."""
Pattern: TypeAlias = tuple[int, tuple[Classes, ...]]
"""The number of an item, and its classes in each target side."""


@dataclass(frozen=True, slots=True)
class Item:
    """A word of the source language and the classes of its translations: senses or genders."""

    name: str
    source: tuple[str, ...]  # forms in the source, each of one or more words
    classes: Mapping[str, tuple[str, ...]]  # lemmas or forms of the target language


@dataclass(frozen=True, slots=True)
class Inventory:
    """Items whose target words are lemmas (senses) or surface forms (genders)."""

    items: tuple[Item, ...]
    by: Literal["lemma", "form"]


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


class ItemMatcher:
    """Finds an inventory's items. Without a lemmatizer the target words are surface forms.

    With a lemmatizer of the source language, inflected source words are found as well.
    """

    def __init__(
        self,
        inventory: Inventory,
        lemmatizer: Lemmatizer | None = None,
        source_lemmatizer: Lemmatizer | None = None,
    ) -> None:
        self._lemmatizer = lemmatizer
        self._source_lemmatizer = source_lemmatizer
        self._sources = Phrases(
            (form, number) for number, item in enumerate(inventory.items) for form in item.source
        )
        self._targets = [
            Phrases(
                (
                    (phrase, place)
                    for place, phrases in enumerate(item.classes.values())
                    for phrase in phrases
                ),
                case_sensitive=inventory.by == "form",
            )
            for item in inventory.items
        ]

    def count(self, rows: Iterable[Sequence[str]]) -> Counter[Pattern]:
        """How often each pattern occurs in rows of a source and its target sides."""
        hits = []
        for source, *targets in rows:
            items = self._sources.in_text(source)
            if self._source_lemmatizer is not None:
                items |= self._sources.in_words(_lemmas(self._source_lemmatizer, [source])[0])
            if items:
                hits.append((items, targets))
        texts = [target for _, targets in hits for target in targets]
        lemmas = None if self._lemmatizer is None else iter(_lemmas(self._lemmatizer, texts))
        counts: Counter[Pattern] = Counter()
        for items, targets in hits:
            sides = [None if lemmas is None else next(lemmas) for _ in targets]
            for item in items:
                phrases = self._targets[item]
                classes = [_classes(phrases, *side) for side in zip(targets, sides, strict=True)]
                counts[item, tuple(tuple(sorted(side)) for side in classes)] += 1
        return counts


def _classes(phrases: Phrases[int], text: str, lemmas: Sequence[str] | None) -> set[int]:
    """Matches lemmas, otherwise word forms: a lemmatizer may take *primavera* for a form of *primaverar*."""
    return (phrases.in_words(lemmas) if lemmas is not None else set()) or phrases.in_text(text)


def _lemmas(lemmatizer: Lemmatizer, sentences: Sequence[str]) -> list[list[str]]:
    return [[token.lemma for token in tokens] for tokens in lemmatizer.lemmatize(sentences)]
