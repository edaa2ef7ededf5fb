"""Numbers written as words: is this number in that text?"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from mtprobe.language.words import word_file

_MOST = 1_000_000  # beyond this nobody spells a number that has digits in the other language
_APART = re.compile(r"[^\w]+")


def is_spelled(value: Decimal, text: str, language: str) -> bool:
    """Whether the text has the number as a word, cardinal or ordinal, in any of its forms."""
    if value != value.to_integral_value() or not 0 <= value <= _MOST:
        return False
    words = f" {_plain(text)} "
    return any(f" {form} " in words for form in _forms(int(value), language.partition("-")[0]))


@cache
def _forms(value: int, language: str) -> frozenset[str]:
    from num2words import num2words

    table = word_file("mtprobe.language.invariants", "number_words.yaml")
    forms = set(table.get(language, {}).get("forms", {}).get(str(value), ()))
    for kind in ("cardinal", "ordinal"):
        try:
            forms.add(str(num2words(value, lang=language, to=kind)))
        except (NotImplementedError, OverflowError, IndexError, TypeError, KeyError):
            continue  # the library does not know the language, or not this form in it
    plain = {_plain(form) for form in forms}
    # Ordinals have a feminine: primeiro and primeira, primero and primera, primo and prima.
    if language in ("pt", "es", "it"):
        plain |= {f"{form[:-1]}a" for form in plain if form.endswith("o")}
    if language == "fr" and value == 1:
        plain |= {"première", "premiers", "premières"}
    return frozenset(plain | {f"{form}s" for form in plain})


def _plain(text: str) -> str:
    return _APART.sub(" ", text.casefold().replace("\u00ad", "")).strip()
