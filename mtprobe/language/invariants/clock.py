"""Times of day, in digits and in words: *3:30 pm*, *15h30*, *halb vier*."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from decimal import Decimal

from mtprobe.language.invariants.clock_words import (
    AFTERNOON,
    half_before,
    half_of_day,
    is_any_said,
    is_exact,
    is_said,
    one_of,
    said_in,
)
from mtprobe.language.invariants.kind import Item, Text

_DENSE = re.compile(  # 午後3時30分, 23点5分, 오후 3시
    r"(?P<half>午前|午後|上午|下午|早上|晚上|오전|오후)?\s?(?<!\d)(\d{1,2})\s?[時时点點시](?!間|间|간)\s?(?:(?P<minute>\d{1,2})\s?[分분]|(?P<thirty>半|반))?"
)
_TIME = re.compile(
    r"(?<![\d:.,])(\d{1,2})(?:(?P<colon>[:∶：])(?P<minute>\d{2})(?:[:∶：]\d{2})?(?!\d|[.,\s]\d{3}(?!\d))"
    r"|\s?h\s?(?P<after>\d{2})?(?:\s?min)?(?!\w)|\.(?P<dotted>\d{2})(?=\s(?:Uhr|[ap]\.?m))"
    r"|(?=\s?[ap]\.?m\b)|(?=\sUhr)|(?=\so['’]clock))"
    r"(?:[\s\u00a0\u202f]?(?P<half>[ap])\.?\s?m\b\.?|[\s\u00a0]Uhr|\so['’]clock|\s?h(?:rs?)?\b)?",
    re.IGNORECASE,
)

_NAMES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HOURS = {name: hour for hour, name in enumerate(_NAMES, 1)}
_HOUR = rf"(?P<hour>{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_IN_ENGLISH = re.compile(  # not *ten to twelve*, which may be a number of things
    rf"\b(?:(?P<part>half past|quarter past|quarter to) {_HOUR}|(?P<full>{'|'.join(_HOURS)}) o['’]clock)\b",
    re.IGNORECASE,
)
_PARTS = {"half past": 30, "quarter past": 15, "quarter to": -15}
_AT = re.compile(
    r"\b(?:at|by|until|till|before|after|from|to|around|about|past|since|between|and)\s$", re.IGNORECASE
)
_NEAR = 10


def times(text: Text) -> list[Item]:
    """Times of day. Without *am* or *pm*, an hour up to 12 may be of either half of the day."""
    items = []
    unmarked_is_night = is_exact(text)
    for match in _TIME.finditer(text.text):
        hour = int(match[1])
        minute = int(match["minute"] or match["after"] or match["dotted"] or 0)
        if hour > 24 or minute > 59:
            continue
        half = match["half"] or half_of_day(text, match.end(), hour) or half_before(text, match.start())
        moments = _moments(hour, minute, half)
        if minute and not half and unmarked_is_night:
            moments = frozenset({("time", hour % 24, minute)})
        items.append(Item(match[0].rstrip(), match.start(), moments))
    return [*items, *_spoken_times(text), *_dense_times(text), *_noons(text)]


def _spoken_times(text: Text) -> Iterator[Item]:
    """*Half past two*, *two o'clock*, in English."""
    if text.language.partition("-")[0] != "en":
        return
    for match in _IN_ENGLISH.finditer(text.text):
        written = (match["hour"] or match["full"]).casefold()
        minutes = 60 * (_HOURS.get(written) or int(written)) + _PARTS.get((match["part"] or "").casefold(), 0)
        hour, minute = divmod(minutes, 60)
        hour = hour or 12  # a quarter to one
        yield Item(match[0], match.start(), _moments(hour, minute, half_of_day(text, match.end(), hour)))


def _noons(text: Text) -> Iterator[Item]:
    """Noon and midnight. They must be kept where English says *at noon*; *a midnight snack* is another matter."""
    said = said_in(text.language)
    for word, hour in (("noon", 12), ("midnight", 0)):
        found = list(one_of(tuple(said.get(word, ()))).finditer(text.text))
        if not found or any(is_said(hour, minute, text) for minute in (15, 30)):  # meio-dia e meia
            continue
        for match in found:
            told = text.language.startswith("en") and _AT.search(
                text.text, max(0, match.start() - _NEAR), match.start()
            )
            yield Item(match[0], match.start(), frozenset({("time", hour, 0)}), optional=not told)


def _dense_times(text: Text) -> list[Item]:
    """Times as written in Chinese, Japanese and Korean."""
    if text.language.partition("-")[0] not in ("ja", "ko", "yue", "zh"):
        return []
    items = []
    for match in _DENSE.finditer(text.text):
        hour, minute = int(match[2]), 30 if match["thirty"] else int(match["minute"] or 0)
        if hour <= 24 and minute <= 59:
            half = match["half"] and ("p" if match["half"] in AFTERNOON else "a")
            items.append(Item(match[0], match.start(), _moments(hour, minute, half)))
    return items


def moments_in(text: Text) -> frozenset[Decimal]:
    """Times as decimals, for numbers of another text: *6.45* may be a quarter to seven, and 2.5 hours *2 h 30*."""
    found: set[Decimal] = set()
    for item in times(text):
        for _, hour, minute in _moments_of(item):
            found |= {Decimal(f"{hour}.{minute:02}"), hour + Decimal(minute) / 60}
    return frozenset(found)


def _moments(hour: int, minute: int, half: str | None) -> frozenset[Hashable]:
    if half is not None:
        return frozenset({("time", hour % 12 + 12 * (half.casefold() == "p"), minute)})
    hours = {hour % 24} | ({(hour + 12) % 24} if 0 < hour <= 12 else set())
    return frozenset(("time", each, minute) for each in hours)


def hours_of(text: Text) -> frozenset[Decimal]:
    """The numbers of its full hours."""
    return frozenset(Decimal(number) for item in times(text) for number in _numbers_of(item))


def numbers_said(text: Text, times_of: Text) -> frozenset[Decimal]:
    """Numbers by which a text says the times of another: the 6 of *6 e meia* for 6:30, the 7 of *sept heures moins le quart*."""
    found: set[int] = set()
    for item in times(times_of):
        for _, hour, minute in _moments_of(item):
            if minute and is_said(hour, minute, text):
                found |= {hour, hour % 12 or 12, hour % 12 + 1, minute}
    return frozenset(map(Decimal, found))


def is_spoken(item: Item, text: Text) -> bool:
    """Whether the text has a time of day in words: *às 7 da manhã*, *à sept heures*, *halb drei*."""
    return is_any_said(frozenset((hour, minute) for _, hour, minute in _moments_of(item)), text)


def can_be_said(item: Item, language: str) -> bool:
    """Whether a time in words could be recognized in another language."""
    said = said_in(language)
    if any(character.isdigit() for character in item.text) or not _moments_of(item):
        return True
    is_noon = item.values <= {("time", 12, 0), ("time", 0, 0)}
    return ("noon" in said) if is_noon else ("30" in said)


def _numbers_of(item: Item) -> set[int]:
    """How the hour of a time without minutes may be called."""
    full = [hour for _, hour, minute in _moments_of(item) if not minute]
    return {number for hour in full for number in (hour, hour % 12 or 12)}


def _moments_of(item: Item) -> list[tuple[str, int, int]]:
    return [value for value in item.values if isinstance(value, tuple) and value[0] == "time"]
