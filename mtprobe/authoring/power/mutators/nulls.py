"""Changes that must not matter: typographic quotation marks, spacing, a synonym outside the focus."""

from __future__ import annotations

import random
import re
from functools import cache
from importlib.resources import files

from mtprobe.authoring.power.mutators.mutator import TextMutator, only_text
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.words import word_file
from mtprobe.methods.method import Translated

_MARKUP = re.compile(r"[<>{}%$@]|https?:|www\.")
_STYLES = (('"', '"'), ("“", "”"), ("«", "»"))
_QUOTED = [re.compile(f"{opening}([^{opening}{closing}]+){closing}") for opening, closing in _STYLES]
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_GAP = re.compile(r"(?<=[a-zà-ÿ]) (?=[a-zà-ÿ])")


class TypographicQuotes(TextMutator):
    name = "typographic-quotes"
    about = "quotation marks and apostrophes of another style"
    null = True

    def mutate(
        self,
        translated: Translated,
        languages: LanguagePair,  # noqa: ARG002 - styles of many languages
        random_: random.Random,
    ) -> str | None:
        text = only_text(translated)
        if _MARKUP.search(text):
            return None
        for number, pattern in enumerate(_QUOTED):
            if pattern.search(text):
                opening, closing = random_.choice([*_STYLES[:number], *_STYLES[number + 1 :]])
                return pattern.sub(rf"{opening}\1{closing}", text)
        match = _APOSTROPHE.search(text)
        if match is None:
            return None
        return _APOSTROPHE.sub("’" if match[0] == "'" else "'", text)


class Spacing(TextMutator):
    name = "spacing"
    about = "a space between two words is doubled, or does not break"
    null = True

    def mutate(
        self,
        translated: Translated,
        languages: LanguagePair,  # noqa: ARG002 - any that writes spaces
        random_: random.Random,
    ) -> str | None:
        text = only_text(translated)
        gaps = [] if _MARKUP.search(text) else list(_GAP.finditer(text))
        if not gaps:
            return None
        gap = random_.choice(gaps)
        return text[: gap.start()] + random_.choice(["  ", "\u00a0"]) + text[gap.end() :]


class Synonym(TextMutator):
    name = "synonym"
    about = "a word outside the focus becomes a synonym, by a short list (de, en, es, fr, pt)"
    null = True

    def mutate(self, translated: Translated, languages: LanguagePair, random_: random.Random) -> str | None:
        text = only_text(translated)
        lemmas = translated.sample.lemmas_in(languages.target)
        listed = (*lemmas.correct, *lemmas.incorrect, *lemmas.either) if lemmas else ()
        own = {word for lemma in listed for word in lemma.casefold().split()}
        found = [
            (match, other)
            for word, other in _synonyms(languages.target.partition("-")[0]).items()
            if not own & {*word.split(), *other.split()}
            for match in re.finditer(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)
        ]
        if not found:
            return None
        match, other = random_.choice(found)
        return text[: match.start()] + other + text[match.end() :]


@cache
def _synonyms(language: str) -> dict[str, str]:
    if not files(__package__).joinpath("words", f"{language}.yaml").is_file():
        return {}
    return word_file(__package__ or "", "words", f"{language}.yaml")
