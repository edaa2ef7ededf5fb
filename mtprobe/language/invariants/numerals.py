"""Numbers written in digits: their positions in a text, and their values in its language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from mtprobe.language.invariants.locales import locale_of
from mtprobe.language.words import word_file

_SPACES = "\u00a0\u202f\u2009"  # that join the parts of one number in any language
_GROUPS_ONLY = f"{_SPACES}'’٬"
_DIGITS = re.compile(rf"\d+(?:[.,٫{_GROUPS_ONLY} ]\d+)*")
_THREES = re.compile(r"\d{1,3}(?: \d{3}(?!\d))+")
_MINUS = "-−"
_OPENING = "([{«“„\"'‘"
_UNREADABLE = ".00007"
_ABBREVIATION = 4  # letters: *Mio.*, *Mrd.*, *млн.*
_SCALED = re.compile(r"(0*)[\s\u00a0]*(.*?)[.\s\u200f]*", re.DOTALL)  # CLDR's *00 thousand*
_SHORTEST = 3  # letters of an abbreviation that is no unit: *mi* may be a mile
_MONEY = ("$", "€", "£", "¥", "₹")
_SHORTHANDS = {"k": 10**3, "m": 10**6, "b": 10**9}
_SHORTHAND = re.compile(r"[\s\u00a0]?(?P<letter>[kKmMbB])(?:(?P<sign>[\s\u00a0]?[€$£])|(?<=\d\w)(?!\w))")
_PARTS = re.compile("[\u00bc-\u00be\u2150-\u215e]")  # ½ and the like


class Numeral(NamedTuple):
    text: str
    start: int
    values: frozenset[Decimal]  # more than one where conventions differ within a language

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def numerals(text: str, language: str) -> list[Numeral]:
    """The numbers in digits, each with its sign and with words like *million*."""
    return list(_continued(list(_numerals(text, language))))


@lru_cache(maxsize=64)  # asked again for every item of a text
def values_in(text: str, language: str) -> frozenset[Decimal]:
    """The values of numbers in digits."""
    return frozenset(value for number in numerals(text, language) for value in number.values)


def _numerals(text: str, language: str) -> Iterator[Numeral]:
    for match in _DIGITS.finditer(text):
        for start, written in _split_at_spaces(match[0], match.start(), language):
            end = start + len(written)
            begin = start - _signed(text, start)
            values = frozenset(-value if begin < start else value for value in _worth(written, language))
            halves = _PARTS.match(text, end)
            if halves:  # 2½
                part = _part(halves[0])
                values, end = frozenset(value + part for value in values), halves.end()
            factor, end = _factor(text, begin, end, language)
            yield Numeral(
                text[begin:end],
                begin,
                frozenset(value * factor for value in values) if factor > 1 else values,
            )


def _signed(text: str, start: int) -> int:
    """1 if a minus sign belongs to the number: it follows a space, a bracket or a quotation mark, and not a word."""
    if start == 0 or text[start - 1] not in _MINUS:
        return 0
    return int(
        start == 1 or text[start - 2].isspace() or text[start - 2] in _OPENING or is_dense(text[start - 2])
    )


def _split_at_spaces(run: str, start: int, language: str) -> Iterator[tuple[int, str]]:
    """A plain space joins groups of three; in English, which writes commas, only where there are several of them."""
    position = 0
    while position < len(run):
        grouped = _THREES.match(run, position)
        joins = grouped and (grouped[0].count(" ") > 1 or not language.startswith("en"))
        if grouped and joins:
            end = grouped.end()
            rest = re.compile(r"[.,]\d+").match(run, end)
            end = rest.end() if rest else end
        else:
            end = run.find(" ", position)
            end = len(run) if end < 0 else end
        yield from _listed(run[position:end], start + position, language)
        position = end + 1


def _listed(written: str, start: int, language: str) -> Iterator[tuple[int, str]]:
    """*0,1,2* is a list, which no language reads as one number."""
    parts = written.split(",")
    if len(parts) < 3 or not all(map(str.isdecimal, parts)) or _readings(written, language):
        yield start, written
        return
    for part in parts:
        yield start, part
        start += len(part) + 1


def _part(sign: str) -> Decimal:
    return Decimal(str(unicodedata.numeric(sign)))


@cache
def _conventions(language: str) -> tuple[tuple[str, str], ...]:
    """How groups and decimals are separated; Spanish without a country may follow Spain or Mexico."""
    locales = [locale_of(language)]
    if language == "es":
        locales.append(locale_of("es-MX"))
    found = []
    for locale in locales:
        symbols = locale.number_symbols["latn"]
        decimal = symbols["decimal"]
        found.append(("." if decimal == "," else ",", decimal))
    return tuple(dict.fromkeys(found))


@cache
def _worth(written: str, language: str) -> frozenset[Decimal]:
    if values := _readings(written, language):
        return values
    # Neither: a version, a list. Its parts in order, as a number that no text means.
    return frozenset({Decimal("000".join(re.findall(r"\d+", written)) + _UNREADABLE)})


def _readings(written: str, language: str) -> frozenset[Decimal]:
    """The value of a number in the language's convention, or in the other convention if theirs makes no sense."""
    joined = re.sub(rf"(?<=\d)[{_GROUPS_ONLY} ](?=\d{{3}}(?!\d))", "", written)
    joined = joined.replace("٫", ".") if "٫" in joined else joined
    conventions = _conventions(language)
    values = {value for group, decimal in conventions if (value := _read(joined, group, decimal)) is not None}
    if not values:
        values = {
            value for group, decimal in conventions if (value := _read(joined, decimal, group)) is not None
        }
    return frozenset(values)


def _read(written: str, group: str, decimal: str) -> Decimal | None:
    whole, *fraction = written.split(decimal)
    if len(fraction) > 1 or (fraction and not fraction[0].isdecimal()):
        return None
    groups = whole.split(group)
    if len(groups) > 1 and not _is_grouped(groups):
        return None
    digits = "".join(groups)
    if not digits.isdecimal():
        return None
    return Decimal(f"{digits}.{fraction[0]}" if fraction else digits)


def _is_grouped(groups: list[str]) -> bool:
    """In threes, or as in India, where only the last group has three digits."""
    first, *middle, last = groups
    if len(last) != 3 or first in ("", "0") or len(first) > 3:
        return False
    return all(len(part) == 3 for part in middle) or (
        len(first) < 3 and all(len(part) == 2 for part in middle)
    )


@cache
def _factors(language: str) -> dict[str, int]:
    """Words that multiply the number before them: as CLDR writes large numbers, and as people do."""
    table = word_file("mtprobe.language.invariants", "number_words.yaml")
    by_power = table.get(language.partition("-")[0], {}).get("powers", {})
    factors = {word: 10 ** int(power) for power, words in by_power.items() for word in words}
    formats = locale_of(language).compact_decimal_formats
    for width in ("long", "short"):
        for patterns in formats.get(width, {}).values():
            for size, pattern in patterns.items():
                zeros, word = _SCALED.fullmatch(pattern.pattern.replace("'", "")).groups()  # type: ignore[union-attr]
                if zeros and (len(word) >= _SHORTEST or not word.isascii()):
                    factors.setdefault(word.casefold(), int(size) // 10 ** (len(zeros) - 1))
    return factors


def _factor(text: str, start: int, end: int, language: str) -> tuple[int, int]:
    """The factor of words like *million* after a number, and where they end."""
    shorthand = _SHORTHAND.match(text, end)  # $20m, 20 M€
    if shorthand and (shorthand["sign"] or text[max(0, start - 2) : start].rstrip()[-1:] in _MONEY):
        return _SHORTHANDS[shorthand["letter"].casefold()], shorthand.end("letter")
    factor = 1
    factors = _factors(language)
    longest = max(map(len, factors), default=0)
    while factors:
        begin = end + len(text[end : end + 2]) - len(text[end : end + 2].lstrip())
        word = next(
            (
                written
                for length in range(longest, 0, -1)
                if (written := text[begin : begin + length].casefold()) in factors
                and (is_dense(written) or not goes_on(text[begin + length : begin + length + 1]))
            ),
            None,
        )
        if word is None:
            break
        factor *= factors[word]
        end = begin + len(word)
        if not word.endswith(".") and len(word) <= _ABBREVIATION and re.compile(r"\.\s\S").match(text, end):
            end += 1
    return factor, end


def goes_on(following: str) -> bool:
    """Whether a word goes on with this character, a letter or a sign that is written with one."""
    return bool(following) and unicodedata.category(following)[0] in "LM"


def is_dense(word: str) -> bool:
    """Written without a space after it."""
    return "\u3000" <= word[-1] <= "\ud7ff"


def _continued(numbers: list[Numeral]) -> Iterator[Numeral]:
    """*1万2500* and *3億5000万* are one number."""
    waiting: Numeral | None = None
    for number in numbers:
        if (
            waiting is not None
            and waiting.end == number.start
            and is_dense(waiting.text)
            and max(number.values) < max(waiting.values)
        ):
            sums = frozenset(one + other for one in waiting.values for other in number.values)
            waiting = Numeral(waiting.text + number.text, waiting.start, sums)
            continue
        if waiting is not None:
            yield waiting
        waiting = number
    if waiting is not None:
        yield waiting
