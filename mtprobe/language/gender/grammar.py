"""The grammars that come with mtprobe: small tables of articles, endings and nouns, a file a language."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from mtprobe.language import tags

# A bump says that readings may change; it is part of every signature.
VERSION = 1


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Genders(_Table):
    """Words, and endings (`-ora`), by the gender that they tell."""

    male: tuple[str, ...] = ()
    female: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    """Nouns of both genders: an article or an adjective has to tell."""
    neutral: tuple[str, ...] = ()
    """Words for a person that tell nothing of the gender, whatever their own is."""

    def gender_of(self, word: str) -> str | None:
        """What the longest ending tells, or the word as a whole; None where nothing fits."""
        best: tuple[int, str | None] = (-1, None)
        for gender, known in self:
            for entry in known:
                fits = word.endswith(entry[1:]) if entry.startswith("-") else word == entry
                rank = len(entry) - 1 if entry.startswith("-") else len(entry) + 1
                if fits and rank > best[0]:
                    best = rank, gender
        return best[1]


class Agreement(Genders):
    """Adjectives and participles that agree with the subject."""

    after: tuple[str, ...]
    """The words behind which they stand."""

    def gender_of(self, word: str) -> str | None:
        return Genders(male=self.male, female=self.female).gender_of(word)


class Verbs(Genders):
    """Verb forms that agree with the subject, as in the past tense of Russian."""

    subject: tuple[str, ...]
    """Endings of nouns that can be one."""

    def gender_of(self, word: str) -> str | None:
        return Genders(male=self.male, female=self.female).gender_of(word)

    def takes(self, noun: str) -> bool:
        return Genders(male=self.subject).gender_of(noun) is not None


class Grammar(_Table):
    """How one language shows a person's gender."""

    head: Literal["first", "last"]
    """Which of several words is the noun: motorista de caminhão, Lkw Fahrer."""
    capitals: bool = False
    """Nouns are written with a capital."""
    articles_win: bool = False
    """A feminine article makes a woman of a masculine noun: la médico."""
    determiners: Genders
    weak: tuple[str, ...] = ()
    """Determiners that may be something else; the noun counts for more."""
    particles: tuple[str, ...] = ()
    """Small words that are no nouns, whatever they are aligned to."""
    phrases: Genders = Field(default_factory=Genders)
    """A determiner and an ending whose gender the two tell together."""
    nouns: Genders
    agreement: Agreement | None = None
    verbs: Verbs | None = None


def languages() -> tuple[str, ...]:
    """The languages that there is a grammar of."""
    return tuple(sorted(one.name.removesuffix(".yaml") for one in _folder() if one.name.endswith(".yaml")))


def grammar_of(language: str) -> Grammar | None:
    """The grammar of a language, `pt` for `pt-BR` and `por_Latn` too."""
    return _read(tags.standard(language).split("-")[0])


@cache
def _read(language: str) -> Grammar | None:
    if language not in languages():
        return None
    found = next(one for one in _folder() if one.name == f"{language}.yaml")
    return Grammar.model_validate(yaml.safe_load(found.read_text(encoding="utf-8")))


def _folder() -> list[resources.abc.Traversable]:
    return list((resources.files("mtprobe") / "language" / "gender" / "grammars").iterdir())
