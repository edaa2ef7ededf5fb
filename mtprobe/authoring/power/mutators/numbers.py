"""Wrong digits."""

from __future__ import annotations

import random
import re

from mtprobe.authoring.power.mutators.mutator import TextMutator, only_text
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.invariants import KINDS, Text
from mtprobe.methods.method import Translated

_NUMBER = re.compile(r"\d(?:[\d.,:\u00a0\u202f' ]*\d)?")
_LITERAL = ("placeholders", "tags", "urls", "emails")


class Digits(TextMutator):
    name = "digits"
    about = "one digit of a number is another"

    def mutate(self, translated: Translated, languages: LanguagePair, random_: random.Random) -> str | None:
        text = only_text(translated)
        inside = [
            (item.start, item.end)
            for name in _LITERAL
            for item in KINDS[name].items(Text(text, languages.target))
        ]
        places = [
            match.start() + offset
            for match in _NUMBER.finditer(text)
            for offset, character in enumerate(match[0])
            if character.isascii() and character.isdigit()
        ]
        places = [place for place in places if not any(start <= place < end for start, end in inside)]
        if not places:
            return None
        place = random_.choice(places)
        digit = random_.choice([other for other in "123456789" if other != text[place]])
        return text[:place] + digit + text[place + 1 :]
