"""Invariants: items of a text that mean the same in any language, and how two texts are compared by them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

Loss = Literal["lost", "added", "changed"]
_MARKS = ("“", "„", "«", '"', "‘", "「")
_SEARCHED = 10_000  # pairs of items; beyond that the first partner is taken, which is nearly always the best


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its language, as a BCP 47 tag."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a text, with everything that it can mean: two items are the same if they share a value."""

    text: str
    start: int
    values: frozenset[Hashable]
    optional: bool = False  # it may be missing from the other text: a number word, for example

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Change:
    """Something that did not survive."""

    kind: str
    what: Loss
    before: str = ""  # in the source
    after: str = ""  # in the translation
    span: tuple[int, int] | None = None  # of `after`
    note: str = ""  # what is wrong with it, where that is hard to see

    def __str__(self) -> str:
        note = f", {self.note}" if self.note else ""
        if self.what == "changed" and self.before == self.after:
            return f"{self.kind}: {_quoted(self.before)} stayed as it is{note}"
        if self.what == "changed":
            return f"{self.kind}: {_quoted(self.before)} became {_quoted(self.after)}{note}"
        return f"{self.kind}: {_quoted(self.before or self.after)} was {self.what}{note}"


def _quoted(text: str) -> str:
    return text if text[:1] in _MARKS else f"“{text}”"


class Kind(ABC):
    """One kind of thing that must survive a translation."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One line for the reference."""
    always: ClassVar[bool] = False
    """It says something about every text; otherwise only about sources that have such items."""
    adds: ClassVar[bool] = True
    """What only the translation has was added; otherwise it may be another way to say something."""
    needs_locale: ClassVar[bool] = False
    """It reads CLDR's data about the languages."""

    @abstractmethod
    def items(self, text: Text) -> Sequence[Item]:
        """The items of this kind, in order; none means that there is nothing to keep."""

    def source_items(self, source: Text) -> Sequence[Item]:
        """The items that the source must preserve, even if it expresses them differently from the translation."""
        return self.items(source)

    def changes(self, source: Text, target: Text) -> list[Change]:
        """The items that were lost, added or changed; empty if everything survived."""
        lost, added = unmatched(self.items(source), self.items(target))
        return self.described(lost, added)

    def described(self, lost: Sequence[Item], added: Sequence[Item]) -> list[Change]:
        """Losses and additions that belong together are one change."""
        missing = [item for item in lost if not item.optional]
        remaining = [item for item in added if not item.optional]
        only = len(missing) == len(remaining) == 1
        changes = []
        for item in missing:
            successor = max(remaining, key=lambda other: likeness(item, other), default=None)
            if successor is None or not (only or likeness(item, successor) > 0):
                alike = [other for other in added if other.optional and likeness(item, other) > 0]
                successor = max(alike, key=lambda other: likeness(item, other), default=None)
            if successor is not None:
                if successor in remaining:
                    remaining.remove(successor)
                span = (successor.start, successor.end)
                note = self.note(item, successor)
                changes.append(Change(self.name, "changed", item.text, successor.text, span, note))
            else:
                changes.append(Change(self.name, "lost", item.text))
        changes += [
            Change(self.name, "added", after=item.text, span=(item.start, item.end)) for item in remaining
        ]
        return changes

    def note(self, before: Item, after: Item) -> str:  # noqa: ARG002 - for those that know more
        """An explanation of a changed item, if the change is hard to see."""
        return ""


def unmatched(first: Sequence[Item], second: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """The items of each side that have no partner on the other, whatever the order."""
    first, second = _without_twins(first, second)
    partner: dict[int, int] = {}  # of the second side, by its index
    searched = len(first) * len(second) <= _SEARCHED
    having: dict[Hashable, list[int]] = {}
    for index, item in enumerate(second):
        for value in item.values:
            having.setdefault(value, []).append(index)

    def place(index: int, tried: set[int]) -> bool:
        for other in sorted({other for value in first[index].values for other in having.get(value, ())}):
            if other in tried:
                continue
            tried.add(other)
            if other not in partner or (searched and place(partner[other], tried)):
                partner[other] = index
                return True
        return False

    # Items that must be kept are placed first, so that optional ones take no partner from them.
    order = sorted(range(len(first)), key=lambda index: first[index].optional)
    kept = {index for index in order if place(index, set())}
    return (
        [item for index, item in enumerate(first) if index not in kept],
        [item for index, item in enumerate(second) if index not in partner],
    )


def _without_twins(first: Sequence[Item], second: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """Without the pairs that mean the same in every respect, which are nearly all."""
    waiting: dict[frozenset[Hashable], list[int]] = {}
    for index, item in enumerate(second):
        waiting.setdefault(item.values, []).append(index)
    taken: set[int] = set()
    rest = []
    for item in first:
        if twins := waiting.get(item.values):
            taken.add(twins.pop(0))
        else:
            rest.append(item)
    return rest, [item for index, item in enumerate(second) if index not in taken]


def likeness(first: Item, second: Item) -> int:
    """How much two items have in common as they are written: the digits or letters of both."""
    one, other = _letters(first.text), _letters(second.text)
    if not (one and other):
        return 0
    if one == other:
        return 1000
    common = 0
    for letter, another in zip(one, other, strict=False):
        if letter != another:
            break
        common += 1
    return common


@lru_cache(maxsize=8192)
def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
