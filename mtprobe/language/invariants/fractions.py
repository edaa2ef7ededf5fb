"""Fractions: *1/2*, *½*, *half a cup*, *zweieinhalb*."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from mtprobe.language.invariants.kind import Item, Text
from mtprobe.language.invariants.numerals import values_in
from mtprobe.language.invariants.spelled import is_spelled, starts_a_word
from mtprobe.language.words import word_file

_WRITTEN = re.compile(
    r"(?<![\w./,])(?:(?P<whole>\d{1,3})[ \u00a0])?(?P<over>\d)/(?P<under>10|[2-9])(?![\w/]|[.,]\d)"
    "|(?<![\\d])(?P<sign>[\u00bc-\u00be\u2150-\u215e])"
)


def fractions(text: str) -> list[Item]:
    """Proper fractions, with the whole number before them: *1/2*, *2 1/2*, *¾*."""
    items = []
    for match in _WRITTEN.finditer(text):
        if match["sign"]:
            value = Decimal(str(unicodedata.numeric(match["sign"])))
        elif int(match["over"]) < int(match["under"]):
            value = int(match["whole"] or 0) + _quotient(match["over"], match["under"])
        else:
            continue
        items.append(Item(match[0], match.start(), frozenset({value})))
    return items


def _quotient(over: str, under: str) -> Decimal:
    return Decimal(str(int(over) / int(under)))


def is_spelled_fraction(value: Decimal, text: Text) -> bool:
    """Whether the text has it as words, *two and a half*, or by its two numbers, *3 of 4*."""
    language = text.language.partition("-")[0]
    table = word_file("mtprobe.language.invariants", "number_words.yaml").get(language, {})
    for name, stems in table.get("fractions", {}).items():
        over, under = name.split("/")
        whole = value - _quotient(over, under)
        if whole != whole.to_integral_value() or whole < 0:
            continue
        start = "" if language == "de" else r"(?<!\w)"  # zweieinhalb
        found = re.search(rf"{start}(?:{'|'.join(stems)})\w*", text.text, re.IGNORECASE)
        if (found and (whole <= 1 or _has(whole, text))) or (not whole and _has_both(over, under, text)):
            return True
    return False


def _has_both(over: str, under: str, text: Text) -> bool:
    return _has(Decimal(over), text) and _has(Decimal(under), text)


def _has(value: Decimal, text: Text) -> bool:
    return (
        value in values_in(text.text, text.language)
        or is_spelled(value, text.text, text.language)
        or starts_a_word(value, text.text, text.language)
    )
