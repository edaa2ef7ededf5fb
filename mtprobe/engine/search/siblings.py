"""Sentences that resemble each other, such as those of one template, and drafts from their translations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

Tokens = Sequence[int]

SHARED = 0.4  # of the pairs of neighbouring tokens: less, and too little of a translation is the same
MOST_KNOWN = 4  # sentences with the same pair of tokens, and relatives to choose from: the latest ones
WINDOW = 8  # tokens in which a translation takes up its draft again


def families(sources: Sequence[Tokens]) -> list[int]:
    """Which family each source belongs to, as the place of its first member; linear in the number of tokens."""
    first_members: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    family: list[int] = []
    for place, source in enumerate(sources):
        pairs = set(pairwise(source))
        shared = Counter(member for pair in pairs for member in first_members.get(pair, ()))
        nearest, count = max(shared.items(), key=lambda item: (item[1], -item[0]), default=(place, 0))
        if pairs and count >= SHARED * len(pairs):
            family.append(nearest)
            continue
        family.append(place)
        for pair in pairs:
            known = first_members[pair]
            known.append(place)
            del known[:-MOST_KNOWN]
    return family


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


@dataclass(slots=True)
class Siblings:
    """The families of some sources, and the translations that are already there."""

    sources: Sequence[Tokens]
    family: Sequence[int]
    _done: defaultdict[int, list[tuple[int, Tokens]]] = field(
        default_factory=lambda: defaultdict(list)
    )  # by family: a member and its translation

    @classmethod
    def of(cls, sources: Sequence[Tokens]) -> Siblings:
        return cls(sources, families(sources))

    def order(self) -> list[int]:
        """First one of each family, so that the others find its translation."""
        return sorted(range(len(self.sources)), key=lambda place: self.family[place] != place)

    def add(self, place: int, translation: Tokens) -> None:
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
