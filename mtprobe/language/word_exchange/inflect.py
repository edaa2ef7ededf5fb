"""Inflects a word like another: plurals of nouns and forms of regular verbs, by small tables per language."""

from __future__ import annotations

from functools import cache
from importlib import resources

from pydantic import BaseModel, ConfigDict

from mtprobe.language import tags
from mtprobe.language.gender.grammar import Genders
from mtprobe.language.words import word_file

_WORDS = resources.files(__package__) / "words"


class Inflection(BaseModel):
    """The small rules of one language. Alternatives of a row are separated by a slash."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    genders: Genders
    """Of nouns."""
    plurals: tuple[str, ...]
    """Endings of the singular and the plural."""
    plural_only: tuple[str, ...] = ()
    infinitives: tuple[str, ...]
    """Endings by which verbs are inflected alike."""
    determiners: tuple[str, ...]
    """Masculine, feminine, and both before a vowel, where they differ there."""
    plural_determiners: tuple[str, ...]
    participles: tuple[str, ...]
    """Endings of verb forms that agree with a noun before them."""
    before_verbs: tuple[str, ...] = ()
    """Words that are shortened before a vowel."""
    auxiliaries: tuple[str, ...] = ()
    """Auxiliaries that not every verb has."""

    def gender(self, noun: str) -> str | None:
        """The gender of a noun; None if it is not known, or if there are two such nouns."""
        return self.genders.shown_by(noun.removesuffix("s") if noun in self.plural_only else noun)

    def is_verb(self, lemma: str) -> bool:
        """Whether its ending is that of a verb; listed nouns are excluded."""
        return lemma.endswith(self.infinitives) and lemma not in (*self.genders.male, *self.genders.female)

    def plural(self, noun: str) -> str | None:
        if noun in self.plural_only:
            return noun
        for row in sorted(self.plurals, key=lambda row: -len(row.split("/")[0])):
            singular, plural = row.split("/")
            if noun.endswith(singular):
                return noun.removesuffix(singular) + plural
        return None

    def verb_like(self, form: str, lemma: str, other: str) -> str | None:
        """Another verb in the form that a verb has; None if the two are not inflected alike."""
        if form == lemma:
            return other if self.is_verb(other) else None
        for ending in self.infinitives:
            stem = lemma.removesuffix(ending)
            if lemma.endswith(ending) and other.endswith(ending) and form.startswith(stem):
                return other.removesuffix(ending) + form.removeprefix(stem)
        return None


def inflection_of(language: str) -> Inflection | None:
    """The rules of a language, if there are any."""
    return _read(tags.standard(language).split("-")[0])


def inflected_languages() -> tuple[str, ...]:
    names = (file.name for file in _WORDS.iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


@cache
def _read(language: str) -> Inflection | None:
    if language not in inflected_languages():
        return None
    return Inflection.model_validate(word_file("mtprobe.language.word_exchange", "words", f"{language}.yaml"))
