"""Errors of form: capitals, the final mark, quotation marks."""

from __future__ import annotations

import random
import re

from mtprobe.authoring.power.mutators.mutator import TextMutator, only_text
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.invariants import KINDS, Text
from mtprobe.methods.method import Translated


class LostCapitals(TextMutator):
    name = "casing"
    about = "a text in capitals loses them"

    def mutate(
        self,
        translated: Translated,
        languages: LanguagePair,
        random_: random.Random,  # noqa: ARG002 - there is one way
    ) -> str | None:
        text = only_text(translated)
        return text.capitalize() if KINDS["casing"].items(Text(text, languages.target)) else None


class LostQuotes(TextMutator):
    name = "quotes"
    about = "the marks around a quoted passage are lost"

    def mutate(self, translated: Translated, languages: LanguagePair, random_: random.Random) -> str | None:
        text = only_text(translated)
        items = KINDS["quotes"].items(Text(text, languages.target))
        if not items or KINDS["tags"].items(Text(text, languages.target)):
            return None
        item = random_.choice(items)
        return text[: item.start] + item.text[1:-1].strip() + text[item.end :]


class OtherMark(TextMutator):
    name = "punctuation"
    about = "the last mark is another: a question becomes a statement, a statement a question"

    def mutate(
        self,
        translated: Translated,
        languages: LanguagePair,  # noqa: ARG002 - the marks of many languages
        random_: random.Random,  # noqa: ARG002 - there is one way
    ) -> str | None:
        text = only_text(translated)
        match = re.search(r"(?<=\w)[\u00a0\u202f ]?([.!?])(?=[\"”’»)]*$)", text)
        if match is None:
            return None
        return text[: match.start(1)] + ("?" if match[1] == "." else ".") + text[match.end(1) :]
