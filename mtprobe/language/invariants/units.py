"""Measurements: the number and its unit. A conversion is a change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache

from mtprobe.language.invariants.kind import Item, Text
from mtprobe.language.invariants.locales import locale_of
from mtprobe.language.invariants.numerals import numerals
from mtprobe.language.invariants.spelled import is_spelled, starts_a_word
from mtprobe.language.invariants.worded import WordedKind, values_in
from mtprobe.language.words import word_file

_OLD = re.compile(r"[\s-]olds?\b")


class Units(WordedKind):
    name = "units"
    about = "measurements, by number and unit: `5 km` is `5 quilômetros`, and not `3 miles`."
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        return list(_measurements(text))

    def missing(self, items: Sequence[Item], text: Text, other: Text) -> list[Item]:
        """Other languages build *a 3-hour call* and *12 years old* in other ways, and repeat the unit in *700 to 1,200 °C*."""
        measured = {value for item in self.items(other) for value in _numbers(item)}
        bare = values_in(other) - measured
        return [
            item
            for item in items
            if not ((_is_compound(item, text) and _has_number(item, other)) or _numbers(item) <= bare)
        ]


def _is_compound(item: Item, text: Text) -> bool:
    return "-" in item.text[1:] or bool(_OLD.match(text.text, item.end))


def _has_number(item: Item, other: Text) -> bool:
    return any(
        value in values_in(other)
        or is_spelled(value, other.text, other.language)
        or starts_a_word(value, other.text, other.language)
        for value in _numbers(item)
    )


def _numbers(item: Item) -> set[Decimal]:
    pairs = (value for value in item.values if isinstance(value, tuple))
    return {number for _, number in pairs}


def _measurements(text: Text) -> Iterator[Item]:
    names = _names(text.language)
    longest = max(map(len, names))
    for number in numerals(text.text, text.language):
        match = re.compile(r"[\s\u00a0\u202f-]?").match(text.text, number.end)
        start = match.end() if match else number.end
        for length in range(min(longest, len(text.text) - start), 0, -1):
            written = text.text[start : start + length]
            following = text.text[start + length : start + length + 1]
            unit = names.get(written) or names.get(written.casefold())
            if unit and not (following.isalnum() and written[-1].isalnum()):
                values = frozenset((unit, value) for value in number.values)
                yield Item(text.text[number.start : start + length], number.start, values)
                break


@cache
def _names(language: str) -> dict[str, str]:
    """Every way to write each unit, singular and plural; signs as they are, words in lower case."""
    from babel.units import UnknownUnitError, format_unit

    locale = locale_of(language)
    base = language.partition("-")[0]
    table = word_file("mtprobe.language.invariants", "unit_words.yaml")
    spoken = table.get(base, {})
    names = {
        name: unit for part in (table["symbols"], spoken) for unit, words in part.items() for name in words
    }
    for unit in table["cldr"]:
        for width in ("long", "short"):
            for count in (1, 2, 5):
                try:
                    written = format_unit(count, unit, length=width, locale=locale)
                except UnknownUnitError:
                    continue
                name = re.sub(r"[\d\s\u00a0\u202f]*\d[\s\u00a0\u202f]*", "", written).strip()
                if name and name not in table["prepositions"]:
                    names.setdefault(name, unit)
                    names.setdefault(name.casefold(), unit)
    if base == "de":  # nach 5 Kilometern, vor 3 Tagen
        names |= {f"{name}n": unit for name, unit in names.items() if re.fullmatch(r"\w{3,}[elr]", name)}
    return names
