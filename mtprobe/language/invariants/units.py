"""Measurements: the number and its unit. A conversion is a change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from mtprobe.language.invariants.kind import Item, Kind, Text
from mtprobe.language.invariants.locales import locale_of
from mtprobe.language.invariants.numerals import numerals
from mtprobe.language.words import word_file


class Units(Kind):
    name = "units"
    about = "measurements, by number and unit: `5 km` is `5 quilômetros`, and not `3 miles`."
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        return list(_measurements(text))


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
    table = word_file("mtprobe.language.invariants", "unit_words.yaml")
    spoken = table.get(language.partition("-")[0], {})
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
                if name:
                    names.setdefault(name, unit)
                    names.setdefault(name.casefold(), unit)
    return names
