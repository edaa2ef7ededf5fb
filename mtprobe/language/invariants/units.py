"""Measurements: the number and its unit. A conversion is a change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from itertools import product
from typing import Any, Literal

from mtprobe.language.invariants.clock import hours_of, is_spoken, times
from mtprobe.language.invariants.clock_words import says_half_an_hour
from mtprobe.language.invariants.fractions import is_spelled_fraction
from mtprobe.language.invariants.kind import Item, Text
from mtprobe.language.invariants.locales import siblings
from mtprobe.language.invariants.masking import masked
from mtprobe.language.invariants.numerals import Numeral, is_dense, numerals, values_in
from mtprobe.language.invariants.shared_units import Measured, with_shared_units, with_vanished
from mtprobe.language.invariants.spelled import is_spelled, starts_a_word
from mtprobe.language.invariants.worded import WordedKind
from mtprobe.language.words import word_file

_CENTIMETERS = re.compile(r"[\s\u00a0]?(\d{2})(?!\d|[.,]\d|\s?[^\W\d_])")
_WIDTHS: tuple[Literal["long", "short"], ...] = ("long", "short")
_APOSTROPHES = ("'", "’")  # *le numéro 34 s'apprête*
_HALF_HOUR = Decimal(30)
_OLD = re.compile(r"[\s-]olds?\b")


class Units(WordedKind):
    name = "units"
    about = "measurements, by number and unit: `5 km` is `5 quilômetros`, and not `3 miles`."
    adds = False
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        return list(_measurements(masked(text)))

    def missing(self, items: Sequence[Item], text: Text, other: Text) -> list[Item]:
        """Other languages say *a 3-hour call*, *12 years old*, *at the age of 12* and *an hour and a half* in other ways."""
        if not items:
            return []
        items = with_vanished(items, text, other)
        clock = [item for item in times(text) if is_spoken(item, other) or _shares(item, times(other))]
        return [
            item
            for item in items
            if not (_is_elsewise(item, text) and _has_number(item, other))
            and not (_is_hour(item) and _numbers(item) & hours_of(other))  # *6 heures du matin*
            and not (("duration-minute", _HALF_HOUR) in item.values and says_half_an_hour(other))
            and not any(is_spelled_fraction(value, other) for value in _numbers(item))
            and not any(time.start < item.end and item.start < time.end for time in clock)
        ]


def _is_elsewise(item: Item, text: Text) -> bool:
    return _is_compound(item, text) or any(
        value[0] == "duration-year" for value in item.values if isinstance(value, tuple)
    )


def _is_hour(item: Item) -> bool:
    return any(value[0] == "duration-hour" for value in item.values if isinstance(value, tuple))


def _shares(item: Item, others: Sequence[Item]) -> bool:
    return any(not item.values.isdisjoint(other.values) for other in others)


def _is_compound(item: Item, text: Text) -> bool:
    return "-" in item.text[1:] or bool(_OLD.match(text.text, item.end))


def _has_number(item: Item, other: Text) -> bool:
    return any(
        value in values_in(other.text, other.language)
        or is_spelled(value, other.text, other.language)
        or starts_a_word(value, other.text, other.language)
        for value in _numbers(item)
    )


def _numbers(item: Item) -> set[Decimal]:
    pairs = (value for value in item.values if isinstance(value, tuple))
    return {number for _, number in pairs}


def _measurements(text: Text) -> Iterator[Item]:
    found = [_measured(text.text, number, text.language) for number in numerals(text.text, text.language)]
    yield from with_shared_units(text, found)


def _measured(text: str, number: Numeral, language: str) -> Measured:
    names = unit_names(language)
    match = re.compile(r"[\s\u00a0\u202f]{0,2}-?").match(text, number.end)
    start = match.end() if match else number.end
    for length in range(min(_longest(language), len(text) - start), 0, -1):
        written = text[start : start + length]
        following = text[start + length : start + length + 1]
        unit = names.get(written) or (names.get(written.casefold()) if length > 1 else None)
        if (
            unit
            and following not in _APOSTROPHES
            and not (following.isalnum() and written[-1].isalnum() and not is_dense(written))
        ):
            end = start + length
            if unit == "length-meter" and (rest := _CENTIMETERS.match(text, end)):  # 1 m 85
                extra = Decimal(rest[1]) / 100
                number = number._replace(values=frozenset(value + extra for value in number.values))
                end = rest.end()
            unsure = written.casefold() in _table()["money"]
            return Measured(number, text[number.start : end], number.start, frozenset({unit}), unsure)
    return Measured(number, number.text, number.start, frozenset())


def _table() -> dict[str, Any]:
    return word_file("mtprobe.language.invariants", "unit_words.yaml")


@cache
def _longest(language: str) -> int:
    return max(map(len, unit_names(language)))


@cache
def unit_names(language: str) -> dict[str, str]:
    """Every way to write each unit, singular and plural; signs as they are, words in lower case."""
    from babel.units import UnknownUnitError, format_unit

    base = language.partition("-")[0]
    table = _table()
    spoken = table.get(base, {})
    names = {
        name: unit for part in (table["symbols"], spoken) for unit, words in part.items() for name in words
    }
    for unit, locale, width, count in product(table["cldr"], siblings(language), _WIDTHS, (1, 2, 5)):
        try:
            written = format_unit(count, unit, length=width, locale=locale)
        except UnknownUnitError:
            continue
        name = re.sub(r"[\d\s\u00a0\u202f]*\d[\s\u00a0\u202f]*", "", written).strip()
        if name and name not in table["prepositions"]:
            names.setdefault(name, unit)
            names.setdefault(name.casefold() if len(name) > 1 else name, unit)
    # The stop of an abbreviation may end the sentence: *m.* is a month in French, and *1,85 m.* is not.
    names = {name: unit for name, unit in names.items() if names.get(name.removesuffix("."), unit) == unit}
    if base == "ru":
        names |= {form: unit for name, unit in names.items() for form in _russian_cases(name)}
    if base == "de":  # nach 5 Kilometern, vor 3 Tagen
        names |= {f"{name}n": unit for name, unit in names.items() if re.fullmatch(r"\w{3,}[elr]", name)}
    return names


def _russian_cases(noun: str) -> Iterator[str]:
    """The cases of a noun that CLDR does not have: *в 15 километрах*, *более 2 тонн*."""
    if re.fullmatch(r"[а-яё]{3,}[внмртц]", noun):  # километр, грамм, процент
        yield from (f"{noun}{ending}" for ending in ("а", "у", "ом", "е", "ы", "ов", "ам", "ами", "ах"))
    elif re.fullmatch(r"[а-яё]{3,}[нтд]а", noun):  # минута, тонна
        yield from (f"{noun[:-1]}{ending}" for ending in ("ы", "е", "у", "ой", "", "ам", "ами", "ах"))
    elif re.fullmatch(r"[а-яё]{2,}ля", noun):  # миля, неделя
        yield from (f"{noun[:-1]}{ending}" for ending in ("и", "е", "ю", "ей", "ь", "ям", "ями", "ях"))
