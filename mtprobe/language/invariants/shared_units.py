"""Numbers that share a currency or a unit: *between 100 and 500 dollars*, *$100–200*, *700 to 1,200 °C*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from mtprobe.language.invariants.kind import Item, Text
from mtprobe.language.invariants.numerals import Numeral, numerals, values_in
from mtprobe.language.invariants.spelled import is_spelled

# What joins two numbers: a dash, a comma, one short word (to, bis, and), or both.
_LINK = re.compile(
    r"[\s\u00a0\u202f]*(?:[-‐-―,/~〜～]|,?[\s\u00a0]*[^\W\d_]{1,4}[\s\u00a0,]|から)[\s\u00a0\u202f]*[^\w\s]{0,3}"
)
_RANGE = re.compile(
    r"[\s\u00a0\u202f]*(?:[-‐-―/~〜～]|から|(?<=\s)(?:to|and|or|a|à|ao|até|auf|bis|e|en|et|hasta|o|oder|ou|para|till|tot|u|und|y|до|и|или)(?=\s))[\s\u00a0\u202f]*[^\w\s]{0,3}"
)


class Measured(NamedTuple):
    """A number, with the units that are written beside it, if there are any."""

    number: Numeral
    text: str  # with the unit
    start: int
    units: frozenset[str]
    unsure: bool = False  # the word may be of another kind: a pound is money or a weight

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def with_shared_units(text: Text, numbers: Sequence[Measured]) -> Iterator[Item]:
    """The numbers with units. A number without one may have that of its neighbour, and need not."""
    units = [each.units for each in numbers]
    joined = [_LINK.fullmatch(text.text[one.end : other.start]) for one, other in pairwise(numbers)]
    for index in range(len(numbers) - 2, -1, -1):  # of the number after it
        if joined[index] and not units[index]:
            units[index] = units[index + 1]
    for index in range(1, len(numbers)):  # of the number before it
        if joined[index - 1] and not units[index]:
            units[index] = units[index - 1]
    for each, shared in zip(numbers, units, strict=True):
        if shared:
            values = frozenset((unit, value) for unit in shared for value in each.number.values)
            yield Item(each.text, each.start, values, optional=each.unsure or not each.units)


def with_vanished(items: Sequence[Item], text: Text, other: Text) -> list[Item]:
    """In *from 60 to 90 euros*, 60 need not be euros in the other text, but has to be there."""
    ranged = {number.start: number for number in _ranged(text)}
    return [
        replace(item, optional=False)
        if item.optional
        and (number := ranged.get(item.start))
        and number.text == item.text
        and not _has(other, number)
        else item
        for item in items
    ]


def _ranged(text: Text) -> Iterator[Numeral]:
    """The numbers at both ends of each range."""
    for ends in pairwise(numerals(text.text, text.language)):
        if _RANGE.fullmatch(text.text[ends[0].end : ends[1].start]):
            yield from ends


def _has(text: Text, number: Numeral) -> bool:
    return not number.values.isdisjoint(values_in(text.text, text.language)) or any(
        is_spelled(value, text.text, text.language) for value in number.values
    )
