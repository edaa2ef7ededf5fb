"""Sentence pairs → which items stand in them, and in which classes their translations fall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from mtprobe.authoring.corpus.inventory import Inventory
from mtprobe.authoring.corpus.phrases import Phrases
from mtprobe.language.lemmatizers import Lemmatizer

Found: TypeAlias = tuple[int, ...]
"""The numbers of the classes found in one target side; usually one, or none."""
Pattern: TypeAlias = tuple[int, tuple[Found, ...]]
"""The number of an item, and what was found for it in each target side."""


class Matcher:
    """Looks for an inventory's items. Without a lemmatizer the target words are surface forms.

    With a lemmatizer of the source language, inflected source words count as well.
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
                capitals_matter=inventory.by == "form",
            )
            for item in inventory.items
        ]

    def count(self, rows: Iterable[Sequence[str]]) -> Counter[Pattern]:
        """How often each pattern stands in rows of a source and its target sides."""
        hits = []
        for source, *targets in rows:
            items = self._sources.found_in(source)
            if self._source_lemmatizer is not None:
                items |= self._sources.found_among(_lemmas(self._source_lemmatizer, [source])[0])
            if items:
                hits.append((items, targets))
        counts: Counter[Pattern] = Counter()
        if self._lemmatizer is None:
            for items, targets in hits:
                for item in items:
                    known = self._targets[item]
                    counts[item, tuple(tuple(sorted(known.found_in(side))) for side in targets)] += 1
            return counts
        sides = iter(_lemmas(self._lemmatizer, [target for _, targets in hits for target in targets]))
        for items, targets in hits:
            lemmas = [next(sides) for _ in targets]
            for item in items:
                known = self._targets[item]
                counts[item, tuple(tuple(sorted(known.found_among(side))) for side in lemmas)] += 1
        return counts


def _lemmas(lemmatizer: Lemmatizer, sentences: Sequence[str]) -> list[list[str]]:
    return [[token.lemma for token in tokens] for tokens in lemmatizer.lemmatize(sentences)]
