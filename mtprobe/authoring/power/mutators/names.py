"""Misspelled names."""

from __future__ import annotations

import random
import re

from mtprobe.authoring.power.mutators.mutator import TextMutator, only_text
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.invariants.names import Names
from mtprobe.methods.method import Translated

_CAPITALISED = re.compile(r"(?<![.!?:;“\"'«(]\s)(?<!^)(?<![\w@/{<.])[A-Z][a-z]{2,}\b")
_VOWELS = "aeiou"


class MisspelledName(TextMutator):
    name = "names"
    about = "a letter of a name is another: a name of the sample, or a capitalised word that source and translation share"

    def mutate(
        self,
        translated: Translated,
        languages: LanguagePair,  # noqa: ARG002 - names are the same in all languages
        random_: random.Random,
    ) -> str | None:
        sample, text = translated.sample, only_text(translated)
        names = sample.names
        if not names and Names.name in sample.preserve and sample.focus:
            names = (sample.source[slice(*sample.focus)],)
        if not names:
            names = tuple(_CAPITALISED.findall(sample.source))
        spans = [match.span() for name in names for match in re.finditer(rf"\b{re.escape(name)}\b", text)]
        places = [
            place
            for start, end in spans
            for place in range(start + 1, end)
            if text[place].isascii() and text[place].islower()
        ]
        if not places:
            return None
        place = random_.choice(places)
        alike = _VOWELS if text[place] in _VOWELS else "bcdfghjklmnpqrstvwxz"
        letter = random_.choice([other for other in alike if other != text[place]])
        return text[:place] + letter + text[place + 1 :]
