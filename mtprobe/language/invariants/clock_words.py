"""Words for times of day: for halves of the day, and for hours and minutes."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, lru_cache

from mtprobe.language.invariants.kind import Text
from mtprobe.language.invariants.locales import locale_of
from mtprobe.language.invariants.numerals import numerals
from mtprobe.language.invariants.spelled import in_digits
from mtprobe.language.words import word_file

AFTERNOON = ("午後", "下午", "晚上", "오후")
_HALF_BEFORE = re.compile(r"(午前|午後|上午|下午|早上|晚上|오전|오후)\s?$")
# Languages that write 6.45 for a time.
_DOTTED = re.compile(r"(?:bg|ca|da|de|es|fi|gl|id|it|nb|nn|no|pl|pt|ro|ru|sv|uk)\b")
_O_CLOCK = r"(?:\s?(?:h|heures?|horas?|uhr|час(?:а|ов)?|o['’]clock))?[\s,]{1,2}"
_DAYBREAK = 6  # *at night* is before it, or after noon


def said_in(language: str) -> dict[str, list[str]]:
    """The words and expressions for times of a language; none where we have no list."""
    table = word_file("mtprobe.language.invariants", "time_words.yaml")
    said: dict[str, list[str]] = table.get(language.partition("-")[0], {})
    return said


@cache
def one_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(words) or '(?!)'})(?![\w-])", re.IGNORECASE)


def half_of_day(text: Text, end: int, hour: int) -> str | None:
    """`a` or `p` if the words after a time say so: *da manhã*, *in the evening*."""
    if hour > 12:
        return None
    said = said_in(text.language)
    for part, half in (("morning", "a"), ("evening", "p"), ("night", "p" if _DAYBREAK <= hour < 12 else "a")):
        if re.compile(rf"{_O_CLOCK}(?:{'|'.join(said.get(part, ('(?!)',)))})\b", re.IGNORECASE).match(
            text.text, end
        ):
            return half
    return None


def says_half_an_hour(text: Text) -> bool:
    return bool(one_of(tuple(said_in(text.language).get("half_hour", ()))).search(text.text))


def half_before(text: Text, start: int) -> str | None:
    """As in Chinese, Japanese and Korean: 下午3:30."""
    match = _HALF_BEFORE.search(text.text, max(0, start - 4), start)
    return match and ("p" if match[1] in AFTERNOON else "a")


def is_exact(text: Text) -> bool:
    """Whether *3:30* is in the night: where clocks have 24 hours and nothing says that it is after noon."""
    said = said_in(text.language)
    words = [*said.get("evening", ()), *said.get("night", ()), *said.get("later", ())]
    return (
        text.language[:2] != "en"
        and _has_24_hours(text.language)
        and bool(words)
        and not one_of(tuple(words)).search(text.text)
    )


@cache
def _has_24_hours(language: str) -> bool:
    return "H" in locale_of(language).time_formats["short"].pattern


@lru_cache(maxsize=64)  # asked for every item of a text
def is_any_said(moments: frozenset[tuple[int, int]], text: Text) -> bool:
    """Whether the text has one of these times, hours and minutes, in words."""
    full = frozenset(hour for hour, minute in moments if not minute)
    return (
        _has_full_hour(full, text)
        or _is_dotted(moments, text)
        or any(is_said(hour, minute, text) for hour, minute in moments if minute)
    )


def _has_full_hour(hours: frozenset[int], text: Text) -> bool:
    """Whether the text has the hour as a number, and no word beside it says that it is of the other half of the day."""
    full = {Decimal(number) for hour in hours for number in (hour, hour % 12 or 12)}
    digits = Text(in_digits(text.text, text.language, full), text.language)
    for number in numerals(digits.text, text.language):
        for hour in map(int, number.values & full):
            half = half_of_day(digits, number.end, hour) or half_before(digits, number.start)
            if half is None or hour % 12 + 12 * (half == "p") in hours:
                return True
    return False


def _is_dotted(moments: frozenset[tuple[int, int]], text: Text) -> bool:
    """*alle 6.45*, where a full stop does not begin the decimals of a number."""
    if not _DOTTED.match(text.language):
        return False
    return any(
        re.search(rf"(?<![\d.,])0?{hour}\.{minute:02}(?!\w|[.,]\d)", text.text) for hour, minute in moments
    )


def is_said(hour: int, minute: int, text: Text) -> bool:
    """Whether the text has this time with words for the minutes, or for all of it."""
    said = said_in(text.language)
    written = text.text
    if hour in (0, 12):  # midi et quart
        written = one_of(tuple(said.get("noon" if hour else "midnight", ()))).sub("12", written)
    forms = [*said.get(str(minute), ()), *said.get("plain", ())]
    for named in {hour % 12 or 12, hour}:
        following = named % 12 + 1
        digits = Text(
            in_digits(written, text.language, map(Decimal, (named, following, minute))), text.language
        )
        for form in forms:
            expression = rf"\b{form.format(hour=named, next=following, minute=minute)}\b"
            for match in re.finditer(expression, digits.text, re.IGNORECASE):
                half = half_of_day(digits, match.end(), named)
                if half is None or named % 12 + 12 * (half == "p") == hour:
                    return True
    return False
