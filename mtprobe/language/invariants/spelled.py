"""Numbers written as words: is this number in that text, and how would the text look in digits?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from itertools import product

from mtprobe.language.words import word_file

_MOST = 1_000_000  # beyond this nobody spells a number that has digits in the other language
_POWERS = (
    3,
    6,
    9,
)  # *fifteen billion*: the words before *thousand*, *million* and *billion* count by themselves
_UNSPACED = ("ja", "yue", "zh")
_OTHER_FORMS = {  # regional ones, and feminines
    "de": [("^ein(?=hundert)", ""), ("ß", "ss")],
    "en": [(" and ", " "), ("^one hundred and", "a hundred and")],
    "es": [("entos\\b", "entas"), ("uno$", "un"), ("uno$", "una"), ("veintiuno$", "veintiún")],
    "fr": [("un$", "une")],
    "it": [("uno$", "un")],
    "pt": [("entos", "entas"), ("um$", "uma"), ("dois$", "duas"), ("^catorze$", "quatorze")],
}
VARIANTS = {"fr": ("fr_BE", "fr_CH"), "nb": ("no",), "nn": ("no",), "pt": ("pt_BR",)}  # nonante, dezesseis
_HAN_DIGITS = "零〇一二三四五六七八九十百千万萬億亿两兩"
_HAN = dict(enumerate("〇一二三四五六七八九"))
_RUSSIAN_ORDINAL = "(?:ый|ий|ой|ого|его|ому|ему|ым|им|ом|ем|ая|яя|ья|ей|ую|юю|ью|ое|ее|ье|ые|ие|ьи|ых|их|ьих|ыми|ими|ьего|ьему|ьим|ьем|ьей)"
_RUSSIAN_CARDINALS = {
    "два": "дв(?:а|е|ух|ум|умя)",
    "три": "тр(?:и|[её]х|[её]м|емя)",
    "четыре": "четыр(?:е|[её]х|[её]м|ьмя)",
    "сорок": "сорока?",
    "сто": "ст[оа]",
    "девяносто": "девяност[оа]",
}
_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_CENTURIES = 39
_NEAR_CENTURY = re.compile(r"\b(?:séculos?|siècles?|siglos?|secol[oi]|век[аеу]?)\b", re.IGNORECASE)


def is_spelled(value: Decimal, text: str, language: str) -> bool:
    """Whether the text has the number as a word, cardinal or ordinal, in any of its forms; centuries in Roman numerals."""
    if not _can_be_spelled(value):
        return False
    if _pattern(int(value), language.partition("-")[0]).search(text):
        return True
    return 0 < value <= _CENTURIES and bool(_NEAR_CENTURY.search(text) and _has_roman(int(value), text))


def starts_a_word(value: Decimal, text: str, language: str) -> bool:
    """Whether a word of the text begins with the number, as in *dreistündig* and *30-jährig*."""
    if not _can_be_spelled(value):
        return False
    forms = "|".join(_forms(int(value), language.partition("-")[0]))
    return bool(re.search(rf"(?<!\w)(?:{int(value)}|{forms})", text, re.IGNORECASE))


def in_digits(text: str, language: str, values: Iterable[Decimal]) -> str:
    """The text with these numbers in digits where it has them as words: *trezentos dólares* → *300 dólares*."""
    base = language.partition("-")[0]
    for value in sorted(_with_multipliers(values), reverse=True):
        text = _pattern(int(value), base).sub(str(int(value)), text)
    return text


def _with_multipliers(values: Iterable[Decimal]) -> set[Decimal]:
    found = {value for value in values if _can_be_spelled(value)}
    return found | {
        part for value in values for power in _POWERS if _can_be_spelled(part := value / 10**power) and part
    }


def _can_be_spelled(value: Decimal) -> bool:
    return value == value.to_integral_value() and 0 <= value <= _MOST


@cache
def _pattern(value: int, language: str) -> re.Pattern[str]:
    forms = sorted(_forms(value, language), key=len, reverse=True)
    alternatives = "|".join(forms) or "(?!)"
    if language in _UNSPACED:  # 三个: words are not separated, but a longer number is another one
        return re.compile(f"(?<![{_HAN_DIGITS}])(?:{alternatives})(?![{_HAN_DIGITS}])")
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


@cache
def _forms(value: int, language: str) -> frozenset[str]:
    """Expressions for every form of the number: words may be joined by hyphens or spaces."""
    from num2words import num2words

    table = word_file("mtprobe.language.invariants", "number_words.yaml")
    written = set(table.get(language, {}).get("forms", {}).get(str(value), ()))
    for variant, kind in product((language, *VARIANTS.get(language, ())), ("cardinal", "ordinal")):
        try:
            written.add(str(num2words(value, lang=variant, to=kind)))
        except (NotImplementedError, OverflowError, IndexError, TypeError, KeyError):
            continue  # the library does not know the language, or not this form in it
    forms = {form.lower() for form in written}
    forms = other_forms(forms, language)
    # Ordinals have a feminine: primeiro and primeira, primero and primera, primo and prima.
    if language in ("pt", "es", "it"):
        forms |= {f"{form[:-1]}a" for form in forms if form.endswith("o")}
    if language == "fr" and value == 1:
        forms |= {"première", "premiers", "premières"}
    if language == "de":
        forms |= {f"{form}{ending}" for form in forms if form.endswith("te") for ending in "nrsm"}
    forms |= {f"{form}s" for form in forms}
    if language == "it":
        forms |= {f"{form[:-1]}{ending}" for form in forms if form.endswith("o") for ending in "ie"}
    if language in _UNSPACED:
        forms |= {_in_han(value)} - {""}
    if language == "de":  # dreißigmal
        forms |= {f"{form}mal" for form in forms}
    if language == "de":  # Sechstklässler, Fünft- und Sechstklässler
        stems = [form.removesuffix("e") for form in forms if form.endswith("te")]
        return _expressions(forms, language) | {rf"{stem}(?:-|kl)\w*" for stem in stems}
    return _expressions(forms, language)


def other_forms(forms: set[str], language: str) -> set[str]:
    """With the regional ones, and with feminines: *duzentas e vinte e uma*."""
    for before, after in _OTHER_FORMS.get(language, ()):
        forms = forms | {re.sub(before, after, form) for form in forms}
    return forms


def _expressions(forms: Iterable[str], language: str) -> frozenset[str]:
    inflected = _russian if language == "ru" else re.escape
    return frozenset(
        r"[\W_]+".join(map(inflected, words)) for form in forms if (words := re.findall(r"\w+", form))
    )


def _russian(word: str) -> str:
    """An expression for the cases, genders and numbers of a word for a number."""
    if word in _RUSSIAN_CARDINALS:
        return _RUSSIAN_CARDINALS[word]
    if word.endswith(("ый", "ий", "ой")):
        return re.escape(word[:-2]) + _RUSSIAN_ORDINAL
    if re.fullmatch("(?:пят|шест|сем|восем)ьдесят", word):
        return re.escape(word.removesuffix("ьдесят")) + "(?:ьдесят|идесяти|ьюдесятью)"
    if word.endswith("ь"):  # пять, двадцать; восемь, восьми
        stem = "вос(?:ем|ьм)" if word == "восемь" else re.escape(word[:-1])
        return stem + "(?:ь|и|ью)"
    return re.escape(word)


def _in_han(value: int) -> str:
    """Numbers below 100 as written in Chinese and Japanese."""
    tens, ones = divmod(value, 10)
    if value >= 100:
        return ""
    if not tens:
        return _HAN[ones]
    return (_HAN[tens] if tens > 1 else "") + "十" + (_HAN[ones] if ones else "")


def _has_roman(value: int, text: str) -> bool:
    return bool(re.search(rf"\b{_roman(value)}(?:e|ème|º)?\b", text))


def _roman(value: int) -> str:
    numeral = ""
    for worth, letters in _ROMAN:
        while value >= worth:
            numeral += letters
            value -= worth
    return numeral
