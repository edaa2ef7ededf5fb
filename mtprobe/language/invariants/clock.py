"""Times of day, in digits and as people say them: *3:30 pm*, *15h30*, *halb vier*."""

from __future__ import annotations

import re
from collections.abc import Hashable
from decimal import Decimal

from mtprobe.language.invariants.kind import Item, Text
from mtprobe.language.invariants.numerals import values_in
from mtprobe.language.invariants.spelled import in_digits, is_spelled
from mtprobe.language.words import word_file

_DENSE = re.compile(  # 午後3時30分, 23点5分, 오후 3시
    r"(?P<half>午前|午後|上午|下午|早上|晚上|오전|오후)?\s?(?<!\d)(\d{1,2})\s?[時时点點시](?!間|间|간)\s?(?:(?P<minute>\d{1,2})\s?[分분]|(?P<thirty>半|반))?"
)
_DOTTED = (
    "bg",
    "ca",
    "da",
    "de",
    "es",
    "fi",
    "gl",
    "id",
    "it",
    "nb",
    "nn",
    "no",
    "pl",
    "pt",
    "ro",
    "ru",
    "sv",
    "uk",
)
_AFTERNOON = ("午後", "下午", "晚上", "오후")
_TIME = re.compile(
    r"(?<![\d:.,])(\d{1,2})(?:(?P<colon>[:∶：])(?P<minute>\d{2})(?:[:∶：]\d{2})?(?!\d|[.,\s]\d{3}(?!\d))"
    r"|\s?h\s?(?P<after>\d{2})?(?:\s?min)?(?!\w)|\.(?P<dotted>\d{2})(?=\s(?:Uhr|[ap]\.?m))"
    r"|(?=\s?[ap]\.?m\b)|(?=\sUhr)|(?=\so['’]clock))"
    r"(?:[\s\u00a0\u202f]?(?P<half>[ap])\.?\s?m\b\.?|[\s\u00a0]Uhr|\so['’]clock|\s?h(?:rs?)?\b)?",
    re.IGNORECASE,
)


def times(text: Text) -> list[Item]:
    """Times of day. Without *am* or *pm*, an hour up to 12 may be of either half of the day."""
    items = []
    for match in _TIME.finditer(text.text):
        hour = int(match[1])
        minute = int(match["minute"] or match["after"] or match["dotted"] or 0)
        if hour > 24 or minute > 59:
            continue
        items.append(Item(match[0].rstrip(), match.start(), _moments(hour, minute, match["half"])))
    return items + _dense_times(text)


def _dense_times(text: Text) -> list[Item]:
    """As Chinese, Japanese and Korean write them."""
    if text.language.partition("-")[0] not in ("ja", "ko", "yue", "zh"):
        return []
    items = []
    for match in _DENSE.finditer(text.text):
        hour, minute = int(match[2]), 30 if match["thirty"] else int(match["minute"] or 0)
        if hour <= 24 and minute <= 59:
            half = match["half"] and ("p" if match["half"] in _AFTERNOON else "a")
            items.append(Item(match[0], match.start(), _moments(hour, minute, half)))
    return items


def moments_in(text: Text) -> frozenset[Decimal]:
    """Its times as decimals, for numbers of another text: *6.45* may be a quarter to seven, and 2.5 hours *2 h 30*."""
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
            if minute and _is_said(hour, minute, _without_noon(text)):
                found |= {hour, hour % 12 or 12, hour % 12 + 1, minute}
    return frozenset(map(Decimal, found))


def is_said(item: Item, text: Text) -> bool:
    """Whether the text has a time of day in words: *às 7 da manhã*, *à sept heures*, *halb drei*."""
    if not _moments_of(item):
        return False
    text = _without_noon(text)
    full = {Decimal(number) for number in _numbers_of(item)}
    if full & values_in(text.text, text.language) or any(
        is_spelled(hour, text.text, text.language) for hour in full
    ):
        return True
    if _is_dotted(item, text):
        return True
    return any(_is_said(hour, minute, text) for _, hour, minute in _moments_of(item) if minute)


def _without_noon(text: Text) -> Text:
    """*midi et quart* is *12 et quart*."""
    words = _said_in(text.language).get("twelve")
    if not words:
        return text
    return Text(re.sub(rf"\b(?:{'|'.join(words)})\b", "12", text.text, flags=re.IGNORECASE), text.language)


def _said_in(language: str) -> dict[str, list[str]]:
    table = word_file("mtprobe.language.invariants", "time_words.yaml")
    said: dict[str, list[str]] = table.get(language.partition("-")[0], {})
    return said


def _is_dotted(item: Item, text: Text) -> bool:
    """*alle 6.45*, where a full stop does not begin the decimals of a number."""
    if text.language.partition("-")[0] not in _DOTTED:
        return False
    return any(
        re.search(rf"(?<![\d.,])0?{hour}\.{minute:02}(?!\w|[.,]\d)", text.text)
        for _, hour, minute in _moments_of(item)
    )


def _is_said(hour: int, minute: int, text: Text) -> bool:
    hour = hour % 12 or 12
    following = hour % 12 + 1
    digits = in_digits(text.text, text.language, map(Decimal, (hour, following, minute)))
    said = _said_in(text.language)
    forms = [*said.get(str(minute), ()), *said.get("plain", ())]
    return any(
        re.search(rf"\b{form.format(hour=hour, next=following, minute=minute)}\b", digits, re.IGNORECASE)
        for form in forms
    )


def _numbers_of(item: Item) -> set[int]:
    """How the hour of a time without minutes may be called."""
    full = [hour for _, hour, minute in _moments_of(item) if not minute]
    return {number for hour in full for number in (hour, hour % 12 or 12)}


def _moments_of(item: Item) -> list[tuple[str, int, int]]:
    return [value for value in item.values if isinstance(value, tuple) and value[0] == "time"]
