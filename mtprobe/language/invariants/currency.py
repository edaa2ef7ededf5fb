"""Amounts of money: the value and its currency."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from mtprobe.language.invariants.kind import Item, Text
from mtprobe.language.invariants.locales import locale_of
from mtprobe.language.invariants.numerals import Numeral, numerals
from mtprobe.language.invariants.worded import WordedKind

_COMMON = [
    "USD",
    "EUR",
    "GBP",
    "JPY",
    "CNY",
    "INR",
    "BRL",
    "CHF",
    "CAD",
    "AUD",
    "MXN",
    "RUB",
    "KRW",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "TRY",
    "ZAR",
    "ARS",
]
_SYMBOLS = {
    "$": "$",
    "€": "EUR",
    "£": "GBP",
    "¥": "¥",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "₺": "TRY",
    "R$": "BRL",
}
# What a bare sign or a plain word may mean.
_FAMILIES = {"USD": "$", "CAD": "$", "AUD": "$", "MXN": "$", "ARS": "$", "JPY": "¥", "CNY": "¥"}

_NOUN_FIRST = ("ca", "es", "fr", "gl", "it", "pt", "ro")  # *dólares americanos*
_REACH = 60  # characters beside a number
_SIGN_BEFORE = re.compile(r"(?:^|(?<=[\s(“\"«]))([^\s\d.,;:()“”\"«»]{1,4})[\s\u00a0\u202f]?$")
_SIGN_AFTER = re.compile(r"[\s\u00a0\u202f]?([^\s\d.,;:()“”\"«»]{1,4})(?!\w)")
_NAME_AFTER = re.compile(
    r"(?:[\s\u00a0]+|-)(?:(?:de|di|of)[\s\u00a0]+|d['’])?((?:[^\W\d_]+[\s\u00a0]?){1,3})", re.IGNORECASE
)


class Currency(WordedKind):
    name = "currency"
    about = "amounts of money, by value and currency: `$2.5 million` is `US$ 2,5 milhões` or `2,5 milhões de dólares`."
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        return list(_amounts(text))


def _amounts(text: Text) -> Iterator[Item]:
    for number in numerals(text.text, text.language):
        found = _before(text.text, number, text.language) or _after(text.text, number, text.language)
        if found:
            start, end, codes = found
            values = frozenset((code, value) for code in codes for value in number.values)
            yield Item(text.text[start:end], start, values)


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
    if not (match := _NAME_AFTER.match(rest)):
        return None
    words = list(re.finditer(r"\w+", match[1]))
    for length in range(len(words), 0, -1):
        end = words[length - 1].end()
        if codes := _names(language).get(" ".join(match[1][:end].casefold().split())):
            return number.start, number.end + match.start(1) + end, codes
    return None


@cache
def _signs(language: str) -> dict[str, frozenset[str]]:
    signs = {sign: {code} for sign, code in _SYMBOLS.items()}
    local = locale_of(language).currency_symbols
    for code in _COMMON:
        signs.setdefault(code, set()).add(code)
        for symbol in (local.get(code), locale_of("en").currency_symbols.get(code)):
            if symbol and symbol not in _SYMBOLS:
                signs.setdefault(symbol, set()).add(code)
    return {sign: _with_families(codes) for sign, codes in signs.items()}


@cache
def _names(language: str) -> dict[str, frozenset[str]]:
    """Names as CLDR has them, and their noun alone: *dollars*, *dólares*, but not *Brazilian*."""
    from babel.numbers import get_currency_name

    noun = 0 if language.partition("-")[0] in _NOUN_FIRST else -1

    names: dict[str, set[str]] = {}
    locale = locale_of(language)
    for code in _COMMON:
        for count in (1, 2, 5):
            name = get_currency_name(code, count=count, locale=locale).casefold()
            for form in {name, name.split()[noun]}:
                names.setdefault(form, set()).add(code)
    return {name: _with_families(codes) for name, codes in names.items() if len(name) > 3}


def _with_families(codes: set[str]) -> frozenset[str]:
    return frozenset(codes | {_FAMILIES[code] for code in codes if code in _FAMILIES})
