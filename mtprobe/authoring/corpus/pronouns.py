"""Pronouns by gender in a corpus (Emelin and Sennrich, 2021, Tables 6 and 14).

Two things are counted in each target side: every pronoun, and what *it* is translated as.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from mtprobe.authoring.corpus.inventories import read_yaml
from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language.alignment import SentencePair, check_alignment, read_alignment
from mtprobe.language.tagging import Gender, Tagger, open_tagger
from mtprobe.suite.format.fields import Strict, Text, Texts

UNCLEAR = "unclear"
OTHER = "other"

_WORD = re.compile(r"\w+")  # a hyphen separates: *a-t-elle*
_BEGINS = re.compile(r"(?:^|[.!?…:;\"“”„«»(–—-])[\s\"“„«(–—-]*$")


class PronounsFile(Strict):
    """The pronouns of a target language."""

    source: Texts
    """The word of the source language whose translations are counted: *it*."""
    rivals: Texts = Field(default_factory=list)
    """Words of the source that the same pronouns translate: *he*, *she*. A pair with one is not counted for *it*."""
    genders: Annotated[dict[Gender, Texts], Field(min_length=1)]
    """The forms of each gender that leave no doubt."""
    unclear: dict[Text, Gender] = Field(default_factory=dict)
    """Forms with other readings, and the gender that they have as a translation of *it*. With a capital inside a sentence they are something else."""

    @model_validator(mode="after")
    def _distinct(self) -> PronounsFile:
        forms = [form.casefold() for texts in self.genders.values() for form in texts]
        forms += [form.casefold() for form in self.unclear]
        twice = [form for form, times in Counter(forms).items() if times > 1]
        if twice:
            raise PydanticCustomError(
                "twice", '"{form}" has two genders; list it under `unclear`', {"form": twice[0]}
            )
        return self


class Key(NamedTuple):
    """What is counted: a class of pronouns on one target side."""

    what: Literal["pronouns", "it"]
    version: int
    name: str  # a gender, UNCLEAR or OTHER


class _Pronoun(NamedTuple):
    gender: str  # as a translation of *it*
    unclear: bool
    start: int


def shipped() -> list[str]:
    """The languages whose pronouns come with mtprobe."""
    names = (entry.name for entry in _folder().iterdir())
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def read_pronouns(name: str) -> PronounsFile:
    """A file of pronouns, or the shipped ones of a language."""
    expected = "a file of pronouns must be a mapping with `source:` and `genders:`"
    if Path(name).suffix in (".yaml", ".yml"):
        return read_yaml(Path(name), PronounsFile, expected)
    if name not in shipped():
        raise MtprobeError(
            f'--pronouns: "{name}" is neither a YAML file nor a language with shipped pronouns{did_you_mean(name, shipped())}'
        )
    with resources.as_file(_folder() / f"{name}.yaml") as file:
        return read_yaml(file, PronounsFile, expected)


def _folder() -> Any:
    return resources.files("mtprobe.authoring.corpus") / "pronoun_forms"


@dataclass(frozen=True, slots=True)
class PronounSearch:
    """Everything that a worker needs. With `linked`, each row ends with the alignment of every target side."""

    corpus: Corpus
    pronouns: PronounsFile
    linked: bool = False
    tagger: tuple[str, str] | None = None  # kind and language; None: unclear forms stay unclear

    def matcher(self) -> PronounCounter:
        tagger = open_tagger(*self.tagger) if self.tagger else None
        return PronounCounter(self.pronouns, len(self.corpus.targets), linked=self.linked, tagger=tagger)


class PronounCounter:
    """Counts pronouns in rows of a source, its target sides and, if `linked`, their alignments."""

    def __init__(
        self, pronouns: PronounsFile, versions: int, *, linked: bool = False, tagger: Tagger | None = None
    ) -> None:
        self._versions = versions
        self._linked = linked
        self._tagger = tagger
        self._source = {word.casefold() for word in pronouns.source}
        self._rivals = {word.casefold() for word in pronouns.rivals}
        self._forms: dict[str, tuple[Gender, bool]] = {
            form.casefold(): (gender, False) for gender, forms in pronouns.genders.items() for form in forms
        } | {form.casefold(): (gender, True) for form, gender in pronouns.unclear.items()}

    def count(self, rows: Iterable[Sequence[str]]) -> Counter[Key]:
        counts: Counter[Key] = Counter()
        unclear: list[tuple[int, str]] = []
        for row in rows:
            source, targets = row[0], row[1 : self._versions + 1]
            for version, target in enumerate(targets):
                text = unicodedata.normalize("NFC", target)
                found = list(self._pronouns(text))
                for pronoun in found:
                    if not pronoun.unclear:
                        counts[Key("pronouns", version, pronoun.gender)] += 1
                if any(pronoun.unclear for pronoun in found):
                    unclear.append((version, text))
                for name in self._translations(source, text, found, row[self._versions + 1 + version :]):
                    counts[Key("it", version, name)] += 1
        for version, name in self._resolved(unclear):
            counts[Key("pronouns", version, name)] += 1
        return counts

    def _pronouns(self, text: str) -> Iterator[_Pronoun]:
        for word in _WORD.finditer(text):
            form = self._forms.get(word[0].casefold())
            if form is None:
                continue
            gender, unclear = form
            if unclear and word[0][0].isupper() and not _BEGINS.search(text[: word.start()]):
                continue  # the polite *Sie*
            yield _Pronoun(gender, unclear, word.start())

    def _translations(
        self, source: str, text: str, found: Sequence[_Pronoun], links: Sequence[str]
    ) -> Iterator[str]:
        """The class of each *it*: of those with a link, or of the only one of a pair without rivals."""
        if self._linked:
            yield from self._by_links(source, text, found, links[0])
            return
        words = [word.casefold() for word in _WORD.findall(source)]
        if sum(word in self._source for word in words) != 1 or not self._rivals.isdisjoint(words):
            return
        yield found[0].gender if len(found) == 1 else OTHER

    def _by_links(self, source: str, text: str, found: Sequence[_Pronoun], line: str) -> Iterator[str]:
        tokens = source.split()
        places = [at for at, token in enumerate(tokens) if self._is_source(token)]
        if not places:
            return
        try:
            alignment = read_alignment(line)
            check_alignment(alignment, SentencePair(source, text))
        except ValueError as error:
            raise MtprobeError(f'"{source}": {error}') from None
        at_token = _by_token(text, found)
        for place in places:
            genders = {
                gender for link in alignment if link.source == place for gender in at_token[link.target]
            }
            yield genders.pop() if len(genders) == 1 else OTHER

    def _is_source(self, token: str) -> bool:
        return not self._source.isdisjoint(word.casefold() for word in _WORD.findall(token))

    def _resolved(self, sentences: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Unclear forms by the tagger: singular ones by their gender; plural ones are not counted."""
        if self._tagger is None:
            for version, text in sentences:
                yield from ((version, UNCLEAR) for pronoun in self._pronouns(text) if pronoun.unclear)
            return
        tagged = self._tagger.tag([text for _, text in sentences])
        for (version, text), tokens in zip(sentences, tagged, strict=True):
            by_start = {token.start: token for token in tokens}
            for pronoun in self._pronouns(text):
                if not pronoun.unclear:
                    continue
                token = by_start.get(pronoun.start)
                if token is None or (token.gender is None and token.number is None):
                    yield version, UNCLEAR
                elif token.number != "plural":
                    yield version, token.gender or UNCLEAR


def _by_token(text: str, found: Sequence[_Pronoun]) -> list[list[str]]:
    """The genders of the pronouns in each token; white space separates tokens."""
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    return [[pronoun.gender for pronoun in found if start <= pronoun.start < end] for start, end in spans]


def table(counts: Counter[Key], what: Literal["pronouns", "it"], versions: int) -> list[Mapping[str, int]]:
    """The counts of each version by class."""
    return [
        {key.name: count for key, count in counts.items() if (key.what, key.version) == (what, version)}
        for version in range(versions)
    ]
