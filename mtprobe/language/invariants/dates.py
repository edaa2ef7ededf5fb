"""Dates, days of the week and times of day: the same day and minute in any notation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from mtprobe.language.invariants.clock import can_be_said, is_spoken, times
from mtprobe.language.invariants.kind import Item, Text
from mtprobe.language.invariants.locales import locale_of, siblings
from mtprobe.language.invariants.masking import masked
from mtprobe.language.invariants.numerals import is_dense
from mtprobe.language.invariants.worded import WordedKind
from mtprobe.language.words import word_file

_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/])")
_DENSE = re.compile(
    r"(?:(\d{4})\s?[年년]\s?)?(?<!\d)(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日号號일])?"
)  # 2023年3月14日
_DAY_BEFORE = re.compile(
    r"(?<![\d.,/])(\d{1,2})(?:st|nd|rd|th|º|°|\.º|o|er|\.)?[\s\u00a0]*(?:of[\s\u00a0]+|de[\s\u00a0]+|-)?(?:the[\s\u00a0]+)?$",
    re.IGNORECASE,
)
_DAY_AFTER = re.compile(
    r"\.?[\s\u00a0]+(?:the[\s\u00a0]+)?(\d{1,2})(?:st|nd|rd|th|º)?(?![\d:.]\d|\d)", re.IGNORECASE
)
_NEAR = 40
_ENGLISH_MONTHS = (
    "January",
    "February",
    "July",
    "September",
    "October",
    "November",
    "December",
)  # no May, no August
_BETWEEN = r"[\s\u00a0]*(?:[-–—]|,?[\s\u00a0](?:[^\W\d_]{1,3}[\s\u00a0]){1,2})[\s\u00a0]*"  # -, to, bis, e il
_EARLIER_DAY = re.compile(rf"(?<![\d.,:/])(\d{{1,2}})(?:st|nd|rd|th|º|°|\.)?{_BETWEEN}$")
_LATER_DAY = re.compile(rf"{_BETWEEN}(\d{{1,2}})(?:st|nd|rd|th|º|°|\.)?(?![\d.,:/]\d|\d)")
_YEAR_AFTER = re.compile(r"\.?,?[\s\u00a0]*(?:del?[\s\u00a0]+|of[\s\u00a0]+)?(\d{4})(?!\d)", re.IGNORECASE)


class Dates(WordedKind):
    name = "dates"
    about = "dates, months, days of the week and times of day: `March 5, 2024` is `5 de março de 2024`, `3:30 pm` is `15h30`, and *noon* is `12 Uhr`."
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        text = masked(text)
        found = [*calendar_dates(text), *times(text), *_weekdays(text)]
        return sorted(found, key=lambda item: item.start)

    def missing(self, items: Sequence[Item], text: Text, other: Text) -> list[Item]:  # noqa: ARG002
        return [item for item in items if can_be_said(item, other.language) and not is_spoken(item, other)]


def calendar_dates(text: Text) -> list[Item]:
    """Days of a year, without days of the week and times."""
    return [*_written(text), *_in_digits(text), *_dense(text)]


def _dense(text: Text) -> Iterator[Item]:
    """Dates as written in Chinese, Japanese and Korean."""
    for match in _DENSE.finditer(text.text):
        year, month, day = (int(part) if part else None for part in match.groups())
        if month and (year or day) and _is_day(month, day or 1):
            yield Item(match[0], match.start(), frozenset({("date", year, month, day)}))
        elif month and not year and not day and _is_day(month, 1):  # 2月
            yield Item(match[0], match.start(), frozenset({("month", month)}), optional=True)


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
    dates: list[Item] = []
    others: list[Item] = []
    for match in re.finditer(r"[^\W\d_]+", text.text):
        month = names.get(match[0].casefold())
        if month is None:
            continue
        start, end = match.span()
        day = year = None
        if before := _DAY_BEFORE.search(text.text, max(0, start - _NEAR), start):
            start, day = before.start(1), int(before[1])
        elif after := _DAY_AFTER.match(text.text, end):
            end, day = after.end(), int(after[1])
        if following := _YEAR_AFTER.match(text.text, end):
            end, year = following.end(), int(following[1])
        if not day and not year:
            dates.append(_month_alone(match, month, text.language))
        elif _is_day(month, day or 1):
            dates.append(Item(text.text[start:end], start, frozenset({("date", year, month, day)})))
            if day:
                others += _of_the_same_month(text.text, start, end, year, month)
    yield from dates
    days = {place for date in dates for place in range(date.start, date.end)}
    yield from (item for item in others if item.start not in days)


def _month_alone(match: re.Match[str], month: int, language: str) -> Item:
    """*In February*. In other languages than English, and where it is also another word, it may be something else."""
    sure = language.partition("-")[0] == "en" and match[0] in _ENGLISH_MONTHS
    return Item(match[0], match.start(), frozenset({("month", month)}), optional=not sure)


def _of_the_same_month(text: str, start: int, end: int, year: int | None, month: int) -> Iterator[Item]:
    """The 4 of *de 4 a 11 de maio* and the 11 of *May 4–11*."""
    for match in (
        _EARLIER_DAY.search(text, max(0, start - _NEAR), start),
        _LATER_DAY.match(text, end, end + _NEAR),
    ):
        if match and _is_day(month, int(match[1])):
            yield Item(
                match[1], match.start(1), frozenset({("date", year, month, int(match[1]))}), optional=True
            )


def _weekdays(text: Text) -> Iterator[Item]:
    language = text.language.partition("-")[0]
    formal, spoken = locale_of(text.language).days["format"]["wide"], _spoken_days(language)
    ending = r"\w*" if language == "de" else r"s?(?!\w)"  # Samstagabend
    for number, name in formal.items():
        bounded = re.escape(name) if is_dense(name) else rf"(?<!\w){re.escape(name)}{ending}"
        for match in re.finditer(bounded, text.text, re.IGNORECASE):
            yield Item(match[0], match.start(), frozenset({("weekday", number)}))
    for number, name in locale_of(text.language).days["format"]["abbreviated"].items():
        short = name.rstrip(".")  # Mon-Fri; *sat* is not a day
        for match in re.finditer(rf"(?<!\w){re.escape(short)}(?!\w)", text.text):
            yield Item(match[0], match.start(), frozenset({("weekday", number)}), optional=True)
    for word, number in spoken.items():
        for match in re.finditer(rf"(?<!\w){word}(?![\w-])", text.text, re.IGNORECASE):
            yield Item(match[0], match.start(), frozenset({("weekday", number)}), optional=True)


@cache
def _spoken_days(language: str) -> dict[str, int]:
    table = word_file("mtprobe.language.invariants", "weekday_words.yaml").get(language, {})
    return {word: int(number) for number, words in table.items() for word in words}


@cache
def _months(language: str) -> dict[str, int]:
    names = {
        name.casefold().rstrip("."): number
        for locale in siblings(language)
        for context in ("format", "stand-alone")
        for width in ("abbreviated", "wide")
        for number, name in locale.months[context][width].items()
        if len(name) > 2 and name.rstrip(".").isalpha()
    }
    if language.partition("-")[0] == "ru":  # CLDR has июнь and июня, but not *в июне*
        for number, name in locale_of(language).months["stand-alone"]["wide"].items():
            stem = name.removesuffix("ь").removesuffix("й")
            names |= {f"{stem}{ending}": number for ending in ("а", "е", "у", "ю", "я", "ом", "ем", "ём")}
    return names


@cache
def _day_first(language: str) -> bool:
    pattern = locale_of(language).date_formats["short"].pattern
    return bool(pattern.find("d") < pattern.find("M"))


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _year(written: str) -> int:
    year = int(written)
    return year if year > 99 else 2000 + year if year < 50 else 1900 + year
