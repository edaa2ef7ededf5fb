"""Numbers: the same values in any notation."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from decimal import Decimal

from mtprobe.language.invariants.clock import hours_of, moments_in, numbers_said, times
from mtprobe.language.invariants.clock_words import says_half_an_hour
from mtprobe.language.invariants.dates import calendar_dates
from mtprobe.language.invariants.fractions import fractions, is_spelled_fraction
from mtprobe.language.invariants.kind import Item, Text, unmatched
from mtprobe.language.invariants.masking import masked
from mtprobe.language.invariants.numerals import Numeral, numerals
from mtprobe.language.invariants.spelled import is_spelled, starts_a_word
from mtprobe.language.invariants.worded import WordedKind

_PART_OF_A_NAME = re.compile(r"[^\W\d_][-‑]?$")  # COVID-19, V2, h1
_COMPOUND = re.compile(r"-|(?!(?:st|nd|rd|th)\b)[^\W\d_]")  # 3-hour, 8bit
_HALF_HOUR, _MINUTES = Decimal(30), re.compile(r"[\s\u00a0-]*(?:min|мин|分)", re.IGNORECASE)
_DECADE = re.compile(r"['’]?s\b")  # the 1950s, in her 30s


class Numbers(WordedKind):
    name = "numbers"
    about = "numbers in digits, by their value: `2,200,112` is `2.200.112` in Portuguese; number words count where they are clear. Times of day belong to `dates`."
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        text = masked(text)
        parts = fractions(text.text)
        taken = [(item.start, item.end) for item in (*times(text), *parts)]
        whole = [
            _item(number, text)
            for number in numerals(text.text, text.language)
            if not any(start <= number.start < end for start, end in taken)
        ]
        return sorted([*whole, *parts], key=lambda item: item.start)

    def compared(self, source: Text, target: Text) -> tuple[list[Item], list[Item]]:
        """A date that survived takes its numbers along."""
        before, after = _without_common_dates(self.items(source), self.items(target), source, target)
        return unmatched(before, after)

    def missing(self, items: Sequence[Item], text: Text, other: Text) -> list[Item]:
        """*At 6* may become a time of day, *3-hour* an adjective, *the 19th century* the XIXth."""
        hours = hours_of(other) | moments_in(other) | numbers_said(text, other) if items else frozenset()
        return [
            item
            for item in items
            if item.values.isdisjoint(hours)
            and not _is_said(item, text, other)
            and not (
                _HALF_HOUR in item.values and _MINUTES.match(text.text, item.end) and says_half_an_hour(other)
            )
        ]

    def note(self, before: Item, after: Item) -> str:
        if before.text != after.text:
            return ""
        worth = " or ".join(sorted(str(value) for value in after.values))
        return f"which readers of the translation take for {worth}"


def _item(number: Numeral, text: Text) -> Item:
    """Numbers that are part of a name, and decades, may be omitted or written in another way."""
    values: frozenset[Hashable] = frozenset(number.values)
    if _DECADE.match(text.text, number.end):
        short = {value % 100 for value in number.values if value > 100}
        return Item(number.text, number.start, values | short, optional=True)
    part = bool(_PART_OF_A_NAME.search(text.text[max(0, number.start - 2) : number.start]))
    return Item(number.text, number.start, values, optional=part)


def _without_common_dates(
    before: Sequence[Item], after: Sequence[Item], source: Text, target: Text
) -> tuple[list[Item], list[Item]]:
    dates = calendar_dates(source), calendar_dates(target)
    alone = unmatched(*dates)
    sides = []
    for items, found, left in zip((before, after), dates, alone, strict=True):
        common = [date for date in found if date not in left]
        sides.append(
            [item for item in items if not any(date.start <= item.start < date.end for date in common)]
        )
    return sides[0], sides[1]


def _is_said(item: Item, text: Text, other: Text) -> bool:
    compound = bool(_COMPOUND.match(text.text, item.end))
    values = [value for value in item.values if isinstance(value, Decimal)]
    return any(
        is_spelled(value, other.text, other.language)
        or is_spelled_fraction(value, other)
        or (compound and starts_a_word(value, other.text, other.language))
        for value in values
    )
