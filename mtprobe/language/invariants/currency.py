"""Amounts of money: the value and its currency."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from mtprobe.language.invariants.kind import Item, Text
from mtprobe.language.invariants.locales import locale_of
from mtprobe.language.invariants.masking import masked
from mtprobe.language.invariants.numerals import Numeral, goes_on, is_dense, numerals
from mtprobe.language.invariants.shared_units import Measured, with_shared_units, with_vanished
from mtprobe.language.invariants.units import unit_names
from mtprobe.language.invariants.worded import WordedKind
from mtprobe.language.words import word_file

_DOLLARS = ("USD", "CAD", "AUD", "NZD", "HKD", "SGD")
_PESOS = ("MXN", "ARS")
_COMMON = (
    *_DOLLARS,
    *_PESOS,
    *("EUR", "GBP", "JPY", "CNY", "INR", "BRL", "CHF", "RUB", "KRW"),
    *("SEK", "NOK", "DKK", "PLN", "CZK", "TRY", "ZAR"),
)
_SYMBOLS = {
    "$": " ".join(_DOLLARS),
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY CNY",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "₺": "TRY",
    "R$": "BRL",
    "US$": "USD",
    "A$": "AUD",
    "C$": "CAD",
    "Rs": "INR",
}
_NOT_MONEY = ("won",)  # names that are more often another word

_NOUN_FIRST = ("ca", "es", "fr", "gl", "it", "pt", "ro")  # *dólares americanos*
_CENTS = "CENT"
_CENT_DIGITS = 2
_AND = re.compile(r"[\s\u00a0,]+(?:(?:and|con|e|et|mit|und|y|и)[\s\u00a0]+)?", re.IGNORECASE)
_REACH = 60  # characters beside a number
_SIGN_BEFORE = re.compile(r"(?:^|(?<=[\s(“\"«/\-‐-―]))([^\s\d.,;:()“”\"«»/‐-―]{1,4})[\s\u00a0\u202f]{0,2}$")
_SIGN_AFTER = re.compile(r"[\s\u00a0\u202f]?([^\s\d.,;:()“”\"«»]{1,4})(?!\w)")
_LINK = re.compile(r"(?:[\s\u00a0\u202f]+|-)?(?:(?:de|di|of)[\s\u00a0]+|d['’])?", re.IGNORECASE)


_PLAIN_SPACES = dict.fromkeys(map(ord, "\u00a0\u202f\n\t"), " ")


class Currency(WordedKind):
    name = "currency"
    about = "amounts of money, by value and currency: `$2.5 million` is `US$ 2,5 milhões` or `2,5 milhões de dólares`."
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        return list(_amounts(masked(text)))

    def missing(self, items: Sequence[Item], text: Text, other: Text) -> list[Item]:
        return with_vanished(items, text, other)


def _amounts(text: Text) -> Iterator[Item]:
    found = [_amount(text, number) for number in numerals(text.text, text.language)]
    for item in with_shared_units(text, list(_with_cents(text.text, found))):
        yield replace(item, values=item.values | set(_in_cents(item)))


def _with_cents(text: str, amounts: Iterable[Measured]) -> Iterator[Measured]:
    """*3 dollars and 50 cents* is one amount."""
    waiting: Measured | None = None
    for amount in amounts:
        if (
            waiting is not None
            and waiting.units
            and _CENTS not in waiting.units
            and (
                (_CENTS in amount.units and _AND.fullmatch(text, waiting.end, amount.start))
                or (amount.start < waiting.end and len(amount.number.text) == _CENT_DIGITS)  # 12 € 50
            )
        ):
            sums = {one + other / 100 for one in waiting.number.values for other in amount.number.values}
            number = waiting.number._replace(values=frozenset(sums))
            waiting = waiting._replace(number=number, text=text[waiting.start : amount.end])
            continue
        if waiting is not None:
            yield waiting
        waiting = amount
    if waiting is not None:
        yield waiting


def _in_cents(item: Item) -> Iterator[Hashable]:
    """*€0.99* is *99 cents*."""
    for each in item.values:
        if isinstance(each, tuple) and each[0] != _CENTS and 0 < each[1] < 1:
            yield _CENTS, each[1] * 100


def _amount(text: Text, number: Numeral) -> Measured:
    found = _before(text.text, number, text.language) or _after(text.text, number, text.language)
    start, end, codes = found or (number.start, number.end, frozenset())
    word = text.text[number.end : end].strip(" -\u00a0\u202f").casefold()
    return Measured(number, text.text[start:end], start, codes, unsure=word in unit_names(text.language))


def _before(text: str, number: Numeral, language: str) -> tuple[int, int, frozenset[str]] | None:
    begin = max(0, number.start - _REACH)
    match = _SIGN_BEFORE.search(text[begin : number.start])
    if match and (codes := _signs(language).get(match[1])):
        return begin + match.start(1), number.end, codes
    return None


def _after(text: str, number: Numeral, language: str) -> tuple[int, int, frozenset[str]] | None:
    rest = text[number.end : number.end + _REACH]
    match = _SIGN_AFTER.match(rest)
    if match and (codes := _signs(language).get(match[1])):
        return number.start, number.end + match.end(1), codes
    link = _LINK.match(rest)
    start = link.end() if link else 0
    names = _names(language)
    spoken = rest[start:].translate(_PLAIN_SPACES)
    for length in _lengths(language):
        written = spoken[:length].casefold()
        if (codes := names.get(written)) and (
            is_dense(written) or (start and not goes_on(spoken[length : length + 1]))
        ):
            return number.start, number.end + start + length, codes
    return None


@cache
def _lengths(language: str) -> tuple[int, ...]:
    return tuple(sorted(set(map(len, _names(language))), reverse=True))


@cache
def _signs(language: str) -> dict[str, frozenset[str]]:
    signs = {sign: set(codes.split()) for sign, codes in _SYMBOLS.items()}
    if language.partition("-")[0] == "es":  # where it is also the sign of pesos
        signs["$"] |= set(_PESOS)
    local = locale_of(language).currency_symbols
    for code in _COMMON:
        signs.setdefault(code, set()).add(code)
        for symbol in (local.get(code), locale_of("en").currency_symbols.get(code)):
            if symbol and symbol not in _SYMBOLS:
                signs.setdefault(symbol, set()).add(code)
    return {sign: frozenset(codes) for sign, codes in signs.items()}


@cache
def _names(language: str) -> dict[str, frozenset[str]]:
    """Names as CLDR has them, and their noun alone: *dollars*, *dólares*, but not *Brazilian*."""
    from babel.numbers import get_currency_name

    base = language.partition("-")[0]
    noun = 0 if base in _NOUN_FIRST else -1
    spoken = word_file("mtprobe.language.invariants", "currency_words.yaml").get(base, {})
    names = {word: set(code.split()) for code, words in spoken.items() for word in words}
    locale = locale_of(language)
    for code in _COMMON:
        for count in (1, 2, 5):
            name = get_currency_name(code, count=count, locale=locale).casefold().translate(_PLAIN_SPACES)
            for form in {name, name.split()[noun]}:
                names.setdefault(form, set()).add(code)
    return {
        name: frozenset(codes)
        for name, codes in names.items()
        if (len(name) > 2 or is_dense(name)) and name not in _NOT_MONEY
    }
