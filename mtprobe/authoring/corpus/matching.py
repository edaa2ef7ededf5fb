"""Finds the items in sentence pairs, and the classes of their translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from mtprobe.authoring.corpus.inventory import Inventory
from mtprobe.authoring.corpus.phrases import Phrases
from mtprobe.language.lemmatizers import Lemmatizer

Classes: TypeAlias = tuple[int, ...]
"""The numbers of the classes in one target side; usually one or none."""
Pattern: TypeAlias = tuple[int, tuple[Classes, ...]]
"""The number of an item, and its classes in each target side."""


class Matcher:
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
        counts: Counter[Pattern] = Counter()
        if self._lemmatizer is None:
            for items, targets in hits:
                for item in items:
                    phrases = self._targets[item]
                    counts[item, tuple(tuple(sorted(phrases.in_text(side))) for side in targets)] += 1
            return counts
        sides = iter(_lemmas(self._lemmatizer, [target for _, targets in hits for target in targets]))
        for items, targets in hits:
            lemmas = [next(sides) for _ in targets]
            for item in items:
                phrases = self._targets[item]
                counts[item, tuple(tuple(sorted(phrases.in_words(side))) for side in lemmas)] += 1
        return counts


def _lemmas(lemmatizer: Lemmatizer, sentences: Sequence[str]) -> list[list[str]]:
    return [[token.lemma for token in tokens] for tokens in lemmatizer.lemmatize(sentences)]
