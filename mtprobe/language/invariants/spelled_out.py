"""Converts unambiguous number words of a source to digits: *twenty-three students* → *23 students*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from mtprobe.language.invariants.kind import Text
from mtprobe.language.invariants.spelled import VARIANTS, other_forms

_LANGUAGES = ("de", "en", "es", "fr", "it", "pt")
_LEAST, _MOST = 13, 999  # *one* and *ten* are parts of too many phrases
_LONGEST = 6  # words of a number
_WORDS = re.compile(r"[^\W\d_]+")
_JOINED = re.compile(r"[\s\u00a0]|-")
_AND = frozenset({"and", "e", "et", "y", "und"})
_HUNDRED = 100


@lru_cache(maxsize=64)
def spelled_out(text: Text) -> Text:
    """The text with its number words from 13 to 999 in digits, unless they are part of a longer expression."""
    language = text.language.partition("-")[0]
    if language not in _LANGUAGES:
        return text
    words = list(_WORDS.finditer(text.text))
    parts, end = [], 0
    for first, last, value in _numbers(text.text, words, language):
        parts += [text.text[end : words[first].start()], str(value)]
        end = words[last].end()
    return Text("".join([*parts, text.text[end:]]), text.language) if parts else text


def _numbers(text: str, words: list[re.Match[str]], language: str) -> Iterator[tuple[int, int, int]]:
    """The first and the last word of each number, and the number."""
    values, parts = _table(language), _parts(language)
    spoken = [word[0].casefold() for word in words]
    following = [bool(_JOINED.fullmatch(text[one.end() : other.start()])) for one, other in pairwise(words)]
    index = 0
    while index < len(words):
        if spoken[index] not in parts:
            index += 1
            continue
        last = index
        while (
            last + 1 < len(words)
            and following[last]
            and (spoken[last + 1] in parts or spoken[last + 1] in _AND)
        ):
            last += 1
        while spoken[last] in _AND:
            last -= 1
        value = values.get(" ".join(spoken[index : last + 1])) if last - index < _LONGEST else None
        if value is not None:
            yield index, last, value
        index = last + 1


@cache
def _table(language: str) -> dict[str, int]:
    """Every number by its words; 100 is in too many phrases, and its words in percentages."""
    table = {form: value for value in range(_LEAST, _MOST + 1) for form in _spoken(value, language)}
    return {form: value for form, value in table.items() if value != _HUNDRED}


@cache
def _parts(language: str) -> frozenset[str]:
    """Every word of a number: beside another one, it is part of a longer number, or of something else."""
    small = (form for value in range(1, _LEAST) for form in _spoken(value, language))
    return frozenset(word for form in (*_table(language), *small) for word in form.split()) - _AND


def _spoken(value: int, language: str) -> set[str]:
    from num2words import num2words

    forms = {
        " ".join(_WORDS.findall(str(num2words(value, lang=variant)).casefold()))
        for variant in (language, *VARIANTS.get(language, ()))
    }
    return other_forms(forms, language)
