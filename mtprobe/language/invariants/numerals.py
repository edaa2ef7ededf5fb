"""Numbers written in digits: where they are in a text, and what they are worth in its language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from mtprobe.language.invariants.locales import locale_of
from mtprobe.language.words import word_file

_SPACES = "\u00a0\u202f\u2009"  # that join the parts of one number in any language
_GROUPS_ONLY = f"{_SPACES}'’٬"
_DIGITS = re.compile(rf"\d+(?:[.,٫{_GROUPS_ONLY} ]\d+)*")
_THREES = re.compile(r"\d{1,3}(?: \d{3}(?!\d))+")
_MINUS = "-−"
_ABBREVIATION = 4  # letters: *Mio.*, *Mrd.*, *млн.*


class Numeral(NamedTuple):
    text: str
    start: int
    values: frozenset[Decimal]  # more than one where conventions differ within a language

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def numerals(text: str, language: str) -> Iterator[Numeral]:
    """The numbers in digits, each with its sign and with words like *million*."""
    for match in _DIGITS.finditer(text):
        for start, written in _split_at_spaces(match[0], match.start(), language):
            end = start + len(written)
            begin = start - _signed(text, start)
            values = frozenset(-value if begin < start else value for value in _worth(written, language))
            factor, end = _factor(text, end, language)
            yield Numeral(text[begin:end], begin, frozenset(value * factor for value in values))


def _signed(text: str, start: int) -> int:
    """1 if a minus sign belongs to the number: it follows a space or a bracket, and not a word."""
    if start == 0 or text[start - 1] not in _MINUS:
        return 0
    return int(start == 1 or text[start - 2].isspace() or text[start - 2] in "([")


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
        yield start + position, run[position:end]
        position = end + 1


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
    """What a number is worth to readers of the language; by the other convention only where theirs makes no sense."""
    joined = re.sub(rf"(?<=\d)[{_GROUPS_ONLY} ](?=\d{{3}}(?!\d))", "", written)
    joined = joined.replace("٫", ".") if "٫" in joined else joined
    conventions = _conventions(language)
    values = {value for group, decimal in conventions if (value := _read(joined, group, decimal)) is not None}
    if not values:
        values = {
            value for group, decimal in conventions if (value := _read(joined, decimal, group)) is not None
        }
    if values:
        return frozenset(values)
    # Neither: a version, a list. Its digits in order, far from every number that could be meant.
    return frozenset({Decimal("1E+100") + Decimal("".join(filter(str.isdecimal, written)))})


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
    if len(last) != 3 or not first or len(first) > 3:
        return False
    return all(len(part) == 3 for part in middle) or (
        len(first) < 3 and all(len(part) == 2 for part in middle)
    )


@cache
def _factors(language: str) -> dict[str, int]:
    table = word_file("mtprobe.language.invariants", "number_words.yaml")
    by_power = table.get(language.partition("-")[0], {}).get("powers", {})
    return {word: 10 ** int(power) for power, words in by_power.items() for word in words}


def _factor(text: str, end: int, language: str) -> tuple[int, int]:
    """What words like *million* after a number multiply it by, and where they end."""
    factor = 1
    factors = _factors(language)
    while factors:
        match = re.compile(r"[\s\u00a0]?([^\W\d_]+)").match(text, end)
        if not match:
            break
        word = match[1].casefold()
        if word not in factors and len(word) > 1:  # Chinese and Japanese put no space after them
            word = word[0] if word[0] in factors and not word[0].isascii() else word
        if word not in factors:
            break
        factor *= factors[word]
        end = match.start(1) + len(word)
        if len(word) <= _ABBREVIATION and re.compile(r"\.\s\S").match(text, end):
            end += 1
    return factor, end
