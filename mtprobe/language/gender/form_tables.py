"""Tables of words in both genders, one file per language, for changing a translation to the other gender."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import resources
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from mtprobe.language import tags
from mtprobe.language.words import word_file

# Changes whenever counterfactual translations may change.
VERSION = 1

_FORMS = resources.files(__package__) / "forms"
_WORD = re.compile(r"[^\s']+'?")

Place = Literal["subject", "object"]


class Surroundings(NamedTuple):
    """The surroundings of a word in its sentence."""

    previous: str = ""  # the word before it, as it is looked up
    following: str = ""
    place: Place | None = None  # where grammar shows it


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Row(_Table):
    """A word (or several: *de la*) in both genders, and where that is true."""

    male: str
    female: str
    before: str = ""  # a sound with which the next word begins
    after: tuple[str, ...] = ()  # words of which one comes before
    place: Place | None = None
    male_after: tuple[str, ...] = ()  # the masculine form comes only after these: *dem Assistenten*

    @property
    def has_context(self) -> bool:
        return bool(self.before or self.after or self.place or self.male_after)

    def form(self, gender: str) -> str:
        return self.male if gender == "male" else self.female

    def words(self, gender: str) -> tuple[str, ...]:
        return tuple(_WORD.findall(self.form(gender)))

    def fits(self, around: Surroundings, sounds: Mapping[str, str]) -> bool:
        if self.after and around.previous not in self.after:
            return False
        if self.place is not None and around.place != self.place:
            return False
        return not self.before or re.match(sounds[self.before], around.following) is not None


def _row(value: Any) -> Any:
    """`le/la`, or `{forms: le/la, …}` with a context."""
    if isinstance(value, str):
        value = {"forms": value}
    if isinstance(value, Mapping) and isinstance(value.get("forms"), str):
        male, _, female = value["forms"].partition("/")
        return {"male": male, "female": female, **{key: value[key] for key in value if key != "forms"}}
    return value


Rows = tuple[Annotated[Row, BeforeValidator(_row)], ...]


class Inflected(_Table):
    """Words with a form for each gender."""

    pairs: Rows = ()
    endings: Rows = ()
    same: tuple[str, ...] = ()
    """Words and endings (`-e`) that are the same in both genders."""
    never: tuple[str, ...] = ()
    """Words that end like one with two forms, but have only one."""

    @cached_property
    def _by_word(self) -> Mapping[tuple[str, str], str]:
        """The other form, by gender and word."""
        forms = {("male", row.male): row.female for row in reversed(self.pairs)}
        return forms | {("female", row.female): row.male for row in reversed(self.pairs)}

    def other(self, word: str, gender: str, around: Surroundings = Surroundings()) -> str | None:  # noqa: B008
        """The form of the other gender of a word of this gender; the word itself if it has only one form."""
        if word in self.never:
            return None
        if (form := self._by_word.get((gender, word))) is not None:
            return form
        if word in self.same:
            return word
        row = self._row(word, gender, around)
        same = max((len(end) for end in self._same_endings if word.endswith(end)), default=0)
        if row is None or same > len(row.form(gender)):
            return word if same else None
        mine, other = (row.male, row.female) if gender == "male" else (row.female, row.male)
        return word.removesuffix(mine) + other

    @cached_property
    def _same_endings(self) -> tuple[str, ...]:
        return tuple(entry[1:] for entry in self.same if entry.startswith("-"))

    def _row(self, word: str, gender: str, around: Surroundings) -> Row | None:
        fitting = [
            row
            for row in self.endings
            if word.endswith(row.form(gender))
            and row.fits(around, _ANY_SOUND)
            and (gender == "male" or not row.male_after or around.previous in row.male_after)
        ]
        return max(fitting, key=lambda row: (len(row.form(gender)), row.has_context), default=None)


class Clitics(_Table):
    """Words by the gender that they show, such as object pronouns: words before a verb, and ends (`-lo`) after one."""

    male: tuple[str, ...] = ()
    female: tuple[str, ...] = ()

    def of(self, gender: str) -> tuple[str, ...]:
        return self.male if gender == "male" else self.female


class Forms(_Table):
    """How words of one language look for a man and for a woman."""

    sounds: dict[str, str] = Field(default_factory=dict)
    """Regular expressions of the beginnings of words, by name."""
    determiners: Rows
    nouns: Inflected
    adjectives: Inflected = Inflected()
    """And participles."""
    verbs: Inflected = Inflected()
    """Verb forms that agree with the subject."""
    pronouns: Rows = ()
    only_pronouns: tuple[str, ...] = ()
    """Words that always mean a person or thing of their gender: what they mean must be known."""
    contracted: tuple[str, ...] = ()
    """Words that contain an article, and have no form for the other gender here."""
    articles: tuple[str, ...] = ()
    """Those that may begin a noun after a copula."""
    copulas: tuple[str, ...] = ()
    """Further words after which adjectives agree with the subject, besides those that a reading looks for."""
    between: tuple[str, ...] = ()
    """Words that may come between a subject and its verb."""
    adverbs: tuple[str, ...] = ()
    """Words and endings that may come between a copula and an adjective."""
    complements: tuple[str, ...] = ()
    """Words that join a complement to its noun."""
    relatives: tuple[str, ...] = ()
    conjunctions: tuple[str, ...] = ()
    joining: tuple[str, ...] = ()
    """Conjunctions after which the subject of the clause before may be meant."""
    subjects: tuple[str, ...] = ()
    """Words with which a clause begins whose first noun is its subject, where objects have articles of their own."""
    clitics: Clitics = Clitics()
    possessives: Clitics = Clitics()
    """Possessives of the person that look like other words, and are not exchanged before a noun."""
    neuter: tuple[str, ...] = ()
    """Verbs whose object pronoun usually means a thing."""

    def is_adverb(self, word: str) -> bool:
        ends = tuple(entry[1:] for entry in self.adverbs if entry.startswith("-"))
        return word in self.adverbs or (bool(ends) and word.endswith(ends))

    def rows(self, rows: Sequence[Row], gender: str) -> Iterator[Row]:
        """In the order in which they are tried: the longest forms first, then those with a context."""
        yield from sorted(rows, key=lambda row: (-len(row.words(gender)), not row.has_context))


_ANY_SOUND: Mapping[str, str] = {}


def form_languages() -> tuple[str, ...]:
    """The languages that have tables."""
    names = (file.name for file in _FORMS.iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def forms_of(language: str) -> Forms | None:
    """The tables of a language, `pt` for `pt-BR` and `por_Latn` too."""
    return _read(tags.standard(language).split("-")[0])


@cache
def _read(language: str) -> Forms | None:
    if language not in form_languages():
        return None
    return Forms.model_validate(word_file("mtprobe.language.gender", "forms", f"{language}.yaml"))
