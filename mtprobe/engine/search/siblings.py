"""Similar sentences, such as those of one template, and drafts from their translations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Tokens = Sequence[int]

SHARED = 0.4  # of the pairs of neighbouring tokens: less, and too little of a translation is the same
MOST_KNOWN = 4  # sentences with the same pair of tokens, and relatives to choose from: the latest ones
MOST_SOURCES = 20_000  # that are known before all of them are forgotten
WINDOW = 8  # tokens in which a translation takes up its draft again


@dataclass(slots=True)
class Draft:
    """The translation of a sibling, and the place in it that another translation has reached."""

    tokens: Tokens  # with the token that ends it
    place: int = 0
    follows: bool = True  # whether the latest token is the one before the place

    def after(self, most: int) -> Tokens:
        """The next tokens, at most as many as given."""
        return self.tokens[self.place : self.place + most] if self.follows and most > 0 else ()

    def advance(self, token: int) -> None:
        """Takes the next token of the translation; where it differs, looks for the place at which the draft goes on."""
        if self.follows and self.place < len(self.tokens) and self.tokens[self.place] == token:
            self.place += 1
            return
        self.follows = False
        for place in range(self.place, min(self.place + WINDOW, len(self.tokens))):
            if self.tokens[place] == token:
                self.place, self.follows = place + 1, True
                return


class Siblings:
    """Sources in families, and the translations that are already there."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.sources: list[Tokens] = []
        self.family: list[int] = []  # of each source, as the place of its first member
        self._first: defaultdict[tuple[int, int], list[int]] = defaultdict(list)  # members by pairs of tokens
        self._done: defaultdict[int, list[tuple[int, Tokens]]] = defaultdict(list)  # by family

    def enter(self, sources: Sequence[Tokens]) -> list[int]:
        """Finds the family of each source, in time linear in their tokens; returns their places.

        The places are in an order in which the others of a family find the translation of its first member.
        """
        if len(self.sources) > MOST_SOURCES:
            self.forget()
        start = len(self.sources)
        for source in sources:
            self._add(source)
        return sorted(range(start, len(self.sources)), key=lambda place: self.family[place] != place)

    def _add(self, source: Tokens) -> None:
        place, pairs = len(self.sources), set(pairwise(source))
        shared = Counter(member for pair in pairs for member in self._first.get(pair, ()))
        nearest, count = max(shared.items(), key=lambda item: (item[1], -item[0]), default=(place, 0))
        self.sources.append(source)
        if pairs and count >= SHARED * len(pairs):
            self.family.append(nearest)
            return
        self.family.append(place)
        for pair in pairs:
            known = self._first[pair]
            known.append(place)
            del known[:-MOST_KNOWN]

    def translated(self, place: int, translation: Tokens) -> None:
        """Makes a translation, with the token that ends it, known to the relatives of its source."""
        known = self._done[self.family[place]]
        known.append((place, translation))
        del known[:-MOST_KNOWN]

    def draft(self, place: int, output: Tokens) -> Draft | None:
        """From the translation of the relative whose source differs least, after the output so far."""
        known = tuple(self._done.get(self.family[place], ()))
        if not known:
            return None
        tokens = set(self.sources[place])
        _, translation = max(known, key=lambda other: len(tokens.intersection(self.sources[other[0]])))
        draft = Draft(translation)
        for token in output:
            draft.advance(token)
        return draft
