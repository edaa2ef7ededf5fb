"""mtprobe's grammars: small tables of articles, endings and nouns, one file per language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from importlib import resources
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from mtprobe.language import tags

# Changes whenever readings may change; part of every signature.
VERSION = 2

_GRAMMARS = resources.files(__package__) / "grammars"


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Genders(_Table):
    """Words and endings (`-ora`) by the gender that they show."""

    male: tuple[str, ...] = ()
    female: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    """Nouns of both genders: an article or an adjective decides."""
    neutral: tuple[str, ...] = ()
    """Words for a person that do not show a gender, whatever their grammatical one."""

    def gender_of(self, word: str) -> str | None:
        """The gender of the word itself or of its longest ending; None if nothing matches."""
        if (gender := self._words.get(word)) is not None:
            return gender
        endings = (word[start:] for start in range(len(word) + 1))
        return next((self._endings[ending] for ending in endings if ending in self._endings), None)

    @cached_property
    def _words(self) -> dict[str, str]:
        return {entry: gender for gender, entry in self._entries() if not entry.startswith("-")}

    @cached_property
    def _endings(self) -> dict[str, str]:
        return {entry[1:]: gender for gender, entry in self._entries() if entry.startswith("-")}

    def _entries(self) -> Iterator[tuple[str, str]]:
        """Of an entry under two genders, the one that counts comes last."""
        for gender in ("neutral", "either", "female", "male"):
            for entry in getattr(self, gender):
                yield gender, entry

    def shown_by(self, word: str) -> str | None:
        """`male` or `female`; None if the word shows neither."""
        gender = self.gender_of(word)
        return gender if gender in ("male", "female") else None


class Agreement(Genders):
    """Adjectives and participles that agree with the subject."""

    after: tuple[str, ...]
    """The words after which they come."""


class Verbs(Genders):
    """Verb forms that agree with the subject, as in the past tense of Russian."""

    subject: tuple[str, ...]
    """Endings of nouns that can be one."""

    def takes(self, noun: str) -> bool:
        return self._subjects.gender_of(noun) is not None

    @cached_property
    def _subjects(self) -> Genders:
        return Genders(male=self.subject)


class Grammar(_Table):
    """How one language shows a person's gender."""

    head: Literal["first", "last"]
    """Which of several words is the noun: motorista de caminhão, Lkw Fahrer."""
    capitals: bool = False
    """Nouns are capitalised."""
    articles_win: bool = False
    """A feminine article makes a woman of a masculine noun: la médico."""
    determiners: Genders
    weak: tuple[str, ...] = ()
    """Determiners that may be something else; the noun counts for more."""
    particles: tuple[str, ...] = ()
    """Small words that are never nouns, whatever they are aligned to."""
    phrases: Genders = Field(default_factory=Genders)
    """A determiner and an ending that show a gender together."""
    nouns: Genders
    unmarked: tuple[str, ...] = ()
    """Masculine nouns that women have too: what agrees with them counts for more (*l'écrivain s'est arrêtée*)."""
    agreement: Agreement | None = None
    verbs: Verbs | None = None
    pronouns: Genders = Field(default_factory=Genders)
    """Pronouns of the person; they count only where neither the noun nor anything that agrees with it shows a gender."""
    subjects: tuple[str, ...] = ()
    """Other pronouns that begin a clause of their own."""

    def is_small(self, word: str) -> bool:
        """A determiner, a preposition or an elided word."""
        return word.endswith("'") or word in self.particles or self.determiners.gender_of(word) is not None

    def is_pronoun(self, word: str) -> bool:
        return word in self.subjects or self.pronouns.gender_of(word) is not None

    def is_copula(self, word: str) -> bool:
        return self.agreement is not None and word in self.agreement.after


def languages() -> tuple[str, ...]:
    """The languages that have a grammar."""
    names = (file.name for file in _GRAMMARS.iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def grammar_of(language: str) -> Grammar | None:
    """The grammar of a language, `pt` for `pt-BR` and `por_Latn` too."""
    return _read(tags.standard(language).split("-")[0])


@cache
def _read(language: str) -> Grammar | None:
    if language not in languages():
        return None
    text = (_GRAMMARS / f"{language}.yaml").read_text(encoding="utf-8")
    return Grammar.model_validate(yaml.safe_load(text))
