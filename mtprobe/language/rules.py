"""The light tagger: closed-class word lists and endings for German and Portuguese. Other words stay untagged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from mtprobe.errors import MtprobeError
from mtprobe.language.tagging import Gender, Tagged, tokens_of
from mtprobe.language.word_files import word_file

LANGUAGES = ("de", "pt")
_CLASSES = (
    "DET",
    "PRON",
    "ADP",
    "CCONJ",
    "SCONJ",
    "PART",
    "AUX",
    "NUM",
    "ADV",
)  # the first that has a word wins
_ENDS_A_SENTENCE = frozenset(".!?…:;\"“”„‚‘»«'([–—-")  # after these, a capital means nothing


@cache
def closed_class(language: str) -> dict[str, frozenset[str]]:
    """The lists of a language."""
    lists = word_file("mtprobe.language", "closed_class", f"{language}.yaml")
    return {name: frozenset(words) for name, words in lists.items()}


class RuleTagger:
    """Certain about closed classes, German nouns inside a sentence, and Portuguese nouns after a determiner."""

    name = "rules 1"

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise MtprobeError(
                f'the rules know {" and ".join(LANGUAGES)}, not "{language}"; stanza serves other languages'
            )
        self._lists = closed_class(language)
        self._pos = {word: name for name in reversed(_CLASSES) for word in self._lists.get(name, ())}
        self._noun = self._german if language == "de" else self._portuguese

    def tag(self, sentences: Sequence[str]) -> list[list[Tagged]]:
        return [self._tagged(sentence) for sentence in sentences]

    def _tagged(self, sentence: str) -> list[Tagged]:
        tagged: list[Tagged] = []
        for text, start in tokens_of(sentence):
            token = self._token(text, start, tagged)
            if token.pos == "NOUN" and tagged and _adjective_of_a_name(tagged[-1]):
                tagged[-1] = replace(tagged[-1], pos="ADJ", gender=None)
            tagged.append(token)
        return tagged

    def _token(self, text: str, start: int, before: list[Tagged]) -> Tagged:
        if not text[0].isalnum():
            return Tagged(text, start, "PUNCT")
        if text[0].isdigit():
            return Tagged(text, start, "NUM")
        first = not before or before[-1].text in _ENDS_A_SENTENCE
        noun = self._noun(text, first, before)
        if noun is not None:
            return Tagged(text, start, "NOUN", *noun)
        return Tagged(text, start, self._closed(text, first))

    def _closed(self, text: str, first: bool) -> str:
        if text in self._lists.get("polite", ()) and not first:
            return "PRON"
        return self._pos.get(text.lower(), "") if first or text[0].islower() else ""

    def _german(self, text: str, first: bool, _: list[Tagged]) -> tuple[Gender | None, None] | None:
        if not text[0].isupper() or text.isupper() or text in self._lists["polite"]:
            return None
        gender = self._by_ending(text)
        if first and (gender is None or text.lower() in self._pos):
            return None
        return gender, None

    def _portuguese(
        self, text: str, _: bool, before: list[Tagged]
    ) -> tuple[Gender | None, Literal["singular", "plural"]] | None:
        if not text.islower() or text in self._pos or text in self._lists["before"]:
            return None
        determined = bool(before) and before[-1].low in self._lists["sure"]
        if not determined and (self._by_ending(text) is None or len(text) < 6):
            return None
        return self._portuguese_gender(text), "plural" if text.endswith("s") else "singular"

    def _by_ending(self, text: str) -> Gender | None:
        for gender in ("feminine", "masculine", "neuter"):
            if _ends(text.lower(), self._lists.get(gender, ())):
                return gender
        return None

    def _by_last_letter(self, word: str) -> Gender | None:
        if word.endswith(("ista", "istas")):
            return None
        if word.endswith(("a", "as")):
            return "feminine"
        return "masculine" if word.endswith(("o", "os")) and not word.endswith("ão") else None

    def _portuguese_gender(self, word: str) -> Gender | None:
        if word in self._lists["both"] or word.removesuffix("s") in self._lists["both"]:
            return None
        if word in self._lists["masculine_anyway"]:
            return "masculine"
        if word in self._lists["feminine_anyway"]:
            return "feminine"
        return self._by_ending(word) or self._by_last_letter(word)


def _adjective_of_a_name(token: Tagged) -> bool:
    """*Bayerischen* before a noun: adjectives of names are capitalised as well."""
    return token.pos == "NOUN" and token.text.endswith(("ische", "ischen", "ischer", "isches", "ischem"))


def _ends(word: str, endings: Iterable[str]) -> bool:
    """With something before the ending: *são* is not a noun."""
    return any(word.endswith(ending) and len(word) > len(ending) + 1 for ending in endings)
