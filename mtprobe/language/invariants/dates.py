"""Dates and times of day: the same day and minute, however each language writes them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal
from functools import cache

from mtprobe.language.invariants.kind import Change, Item, Kind, Text, unmatched
from mtprobe.language.invariants.locales import locale_of
from mtprobe.language.invariants.numerals import numerals
from mtprobe.language.invariants.spelled import is_spelled

_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/])")
_TIME = re.compile(
    r"(?<![\d:.,])(\d{1,2})(?:(?P<colon>:)(?P<minute>\d{2})(?::\d{2})?(?!\d)"
    r"|\s?h\s?(?P<after>\d{2})?(?!\w)|\.(?P<dotted>\d{2})(?=\s(?:Uhr|[ap]\.?m))|(?=\s?[ap]\.?m\b)|(?=\sUhr))"
    r"(?:[\s\u00a0\u202f]?(?P<half>[ap])\.?\s?m\b\.?|[\s\u00a0]Uhr|\s?h(?:rs?)?\b)?",
    re.IGNORECASE,
)
_DAY_BEFORE = re.compile(
    r"(?<![\d.,/])(\d{1,2})(?:st|nd|rd|th|º|\.º|er|\.)?[\s\u00a0]*(?:of[\s\u00a0]+|de[\s\u00a0]+|-)?(?:the[\s\u00a0]+)?$",
    re.IGNORECASE,
)
_DAY_AFTER = re.compile(
    r"\.?[\s\u00a0]+(?:the[\s\u00a0]+)?(\d{1,2})(?:st|nd|rd|th|º)?(?![\d:.]\d|\d)", re.IGNORECASE
)
_YEAR_AFTER = re.compile(r"\.?,?[\s\u00a0]*(?:de[\s\u00a0]+|of[\s\u00a0]+)?(\d{4})(?!\d)", re.IGNORECASE)


class Dates(Kind):
    name = "dates"
    about = "dates, days of the week and times of day: `March 5, 2024` is `5 de março de 2024`, `3:30 pm` is `15h30`."
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        found = [*_written(text), *_in_digits(text), *times(text), *_weekdays(text)]
        return sorted(found, key=lambda item: item.start)

    def changes(self, source: Text, target: Text) -> list[Change]:
        """A full hour may be a mere number in the translation: *às 7 da manhã*, *à sept heures*."""
        lost, added = unmatched(self.items(source), self.items(target))
        return self.described([item for item in lost if not _is_hour_of(item, target)], added)


def _is_hour_of(item: Item, text: Text) -> bool:
    moments = [value for value in item.values if isinstance(value, tuple) and value[0] == "time"]
    full = [hour for _, hour, minute in moments if not minute]
    hours = {Decimal(number) for hour in full for number in (hour, hour % 12 or 12)}
    numbers = {value for number in numerals(text.text, text.language) for value in number.values}
    return bool(hours & numbers) or any(is_spelled(hour, text.text, text.language) for hour in hours)


def times(text: Text) -> list[Item]:
    """Times of day. Without *am* or *pm*, an hour up to 12 may be of either half of the day."""
    items = []
    for match in _TIME.finditer(text.text):
        hour = int(match[1])
        minute = int(match["minute"] or match["after"] or match["dotted"] or 0)
        if hour > 24 or minute > 59:
            continue
        items.append(Item(match[0].rstrip(), match.start(), _moments(hour, minute, match["half"])))
    return items


def _moments(hour: int, minute: int, half: str | None) -> frozenset[Hashable]:
    if half is not None:
        return frozenset({("time", hour % 12 + 12 * (half.casefold() == "p"), minute)})
    hours = {hour % 24} | ({(hour + 12) % 24} if 0 < hour <= 12 else set())
    return frozenset(("time", each, minute) for each in hours)


def _in_digits(text: Text) -> Iterator[Item]:
    for match in _ISO.finditer(text.text):
        year, month, day = map(int, match.groups())
        if _is_day(month, day):
            yield Item(match[0], match.start(), frozenset({("date", year, month, day)}))
    for match in _NUMERIC.finditer(text.text):
        first, second, year = int(match[1]), int(match[3]), _year(match[4])
        orders = [(second, first)] if _day_first(text.language) else [(first, second)]
        if text.language == "en":  # without a country it may be either
            orders = [(first, second), (second, first)]
        dates = {("date", year, month, day) for month, day in orders if _is_day(month, day)}
        if dates:
            yield Item(match[0], match.start(), frozenset(dates))


def _written(text: Text) -> Iterator[Item]:
    """A month by its name, with a day or a year beside it."""
    names = _months(text.language)
    for match in re.finditer(r"[^\W\d_]+", text.text):
        month = names.get(match[0].casefold())
        if month is None:
            continue
        start, end = match.span()
        day = year = None
        if before := _DAY_BEFORE.search(text.text[:start]):
            start, day = before.start(1), int(before[1])
        elif after := _DAY_AFTER.match(text.text, end):
            end, day = after.end(), int(after[1])
        if following := _YEAR_AFTER.match(text.text, end):
            end, year = following.end(), int(following[1])
        if (day or year) and _is_day(month, day or 1):
            yield Item(text.text[start:end], start, frozenset({("date", year, month, day)}))


def _weekdays(text: Text) -> Iterator[Item]:
    for name, number in _days(text.language).items():
        for match in re.finditer(rf"(?<!\w){re.escape(name)}s?(?!\w)", text.text, re.IGNORECASE):
            yield Item(match[0], match.start(), frozenset({("weekday", number)}))


@cache
def _months(language: str) -> dict[str, int]:
    locale = locale_of(language)
    return {
        name.casefold().rstrip("."): number
        for context in ("format", "stand-alone")
        for width in ("abbreviated", "wide")
        for number, name in locale.months[context][width].items()
        if len(name) > 2 and name.rstrip(".").isalpha()
    }


@cache
def _days(language: str) -> dict[str, int]:
    return {name: number for number, name in locale_of(language).days["format"]["wide"].items()}


@cache
def _day_first(language: str) -> bool:
    pattern = locale_of(language).date_formats["short"].pattern
    return bool(pattern.find("d") < pattern.find("M"))


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _year(written: str) -> int:
    year = int(written)
    return year if year > 99 else 2000 + year if year < 50 else 1900 + year
