"""Inventories to count, read from files: words with their senses, or occupations with their male and female forms.

A sense is a cluster of target lemmas, from a YAML file, a suite, or MuCoW's key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from mtprobe.authoring.corpus.matching import Inventory, Item
from mtprobe.errors import MtprobeError, Place, SuiteError, did_you_mean
from mtprobe.language import tags
from mtprobe.suite.find import is_suite
from mtprobe.suite.format.fields import Strict, Text, Texts
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import read_tree
from mtprobe.suite.samples.frequencies import word_of
from mtprobe.suites import load_suite
from mtprobe.system.text_files import text_lines

MALE, FEMALE = "male", "female"
_OF_A_SUITE = re.compile(r"^ +contexts:", re.MULTILINE)  # words with sentences: `format: senses`
Model = TypeVar("Model", bound=Strict)


def _distinct_senses(senses: dict[str, list[str]]) -> dict[str, list[str]]:
    if len(senses) < 2:
        raise PydanticCustomError("one_sense", "a word needs at least two senses")
    seen: dict[str, str] = {}
    for sense, lemmas in senses.items():
        for lemma in lemmas:
            if seen.setdefault(lemma.casefold(), sense) != sense:
                raise PydanticCustomError("twice", 'lemma "{lemma}" is in two senses', {"lemma": lemma})
    return senses


class WordsFile(Strict):
    """A file of words to count senses of."""

    words: Annotated[
        dict[Text, Annotated[dict[Text, Texts], AfterValidator(_distinct_senses)]], Field(min_length=1)
    ]
    """Each word of the source with its senses by name, each sense with its lemmas in the target language."""


def read_senses(path: Path, target: str, data_root: Path | None = None) -> Inventory:
    """The words of a file. `target` is the language of the lemmas."""
    if is_suite(path):
        words = _of_suite(path, target, data_root)
    elif path.suffix in (".yaml", ".yml"):
        words = _of_yaml(path)
    else:
        words = _of_key(path)
    return Inventory(
        tuple(
            Item(word, (word,), {sense: tuple(lemmas) for sense, lemmas in senses.items()})
            for word, senses in words.items()
        ),
        by="lemma",
    )


Words = Mapping[str, Mapping[str, Iterable[str]]]


def _of_yaml(path: Path) -> Words:
    try:
        return read_yaml(path, WordsFile, "a file of words must be a mapping that starts with `words:`").words
    except SuiteError:
        if _OF_A_SUITE.search(path.read_text(encoding="utf-8", errors="replace")):
            raise MtprobeError(
                f"{path}: a data file of a suite; name the suite (….mt.yaml) instead"
            ) from None
        raise


def _of_suite(path: Path, target: str, data_root: Path | None) -> Words:
    """A sense is a sample's good lemmas; a word with only one gets its bad lemmas as the other."""
    words: dict[str, dict[str, dict[str, None]]] = {}
    others: dict[str, dict[str, None]] = {}
    for sample in load_suite(path, data_root, uncounted=True).samples:
        for language, lemmas in (sample.lemmas or {}).items():
            if not tags.fits(target, language):
                continue
            word = word_of(sample.attributes, sample.source, sample.focus)
            if word:
                sense = str(sample.attributes.get("sense", " ".join(lemmas.correct)))
                words.setdefault(word, {}).setdefault(sense, {}).update(dict.fromkeys(lemmas.correct))
                others.setdefault(word, {}).update(dict.fromkeys(lemmas.incorrect))
    for word, senses in words.items():
        good = {lemma for lemmas in senses.values() for lemma in lemmas}
        bad = {lemma: None for lemma in others[word] if lemma not in good}
        if len(senses) == 1 and bad:
            senses[" ".join(bad)] = bad
    return _ambiguous(words, f"{path}: no word has `lemmas` of two senses in {target}")


def _of_key(path: Path) -> Words:
    """MuCoW's key: id, corpus, word, correct and incorrect lemmas. A sense is the correct lemmas of an item."""
    words: dict[str, dict[str, list[str]]] = {}
    for number, line in text_lines(path):
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 5 or not all(columns):
            raise MtprobeError(
                f"{Place(path, number)}: not a line of MuCoW's key (id, corpus, word, correct lemmas, incorrect "
                "lemmas, separated by tabs); a file of words ends in .yaml, a suite in .mt.yaml"
            )
        words.setdefault(columns[2], {}).setdefault(columns[3], columns[3].split())
    return _ambiguous(words, f"{path}: no word has two senses")


def _ambiguous(words: Words, without: str) -> Words:
    """The words of several senses; an error if there are none."""
    ambiguous = {word: senses for word, senses in words.items() if len(senses) > 1}
    if not ambiguous:
        raise MtprobeError(without)
    return ambiguous


class Forms(Strict):
    """The forms of one occupation. A capitalised form is only found capitalised."""

    source: Texts | None = None
    """Its names in the source language, plural forms included; by default only its name."""
    male: Texts
    """Every inflected form that names a man, and no other form."""
    female: Texts
    """Every inflected form that names a woman, and no other form."""


def _distinct_forms(forms: Forms) -> Forms:
    for form in forms.male:
        if form.casefold() in {other.casefold() for other in forms.female}:
            raise PydanticCustomError(
                "both",
                '"{form}" is both male and female; omit forms that may be either',
                {"form": form},
            )
    return forms


class OccupationsFile(Strict):
    """A file of occupations to count genders of."""

    occupations: Annotated[dict[Text, Annotated[Forms, AfterValidator(_distinct_forms)]], Field(min_length=1)]
    """Each occupation with its forms."""


def shipped() -> list[str]:
    """The languages whose occupations come with mtprobe."""
    return sorted(
        entry.name.removesuffix(".yaml") for entry in _folder().iterdir() if entry.name.endswith(".yaml")
    )


def read_genders(name: str) -> Inventory:
    """A file of occupations, or the shipped ones of a language."""
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        if name not in shipped():
            raise MtprobeError(
                f'--occupations: "{name}" is neither a YAML file nor a language with shipped occupations'
                f"{did_you_mean(name, shipped())}"
            )
        with resources.as_file(_folder() / f"{name}.yaml") as file:
            return _occupations(file)
    return _occupations(path)


def _occupations(path: Path) -> Inventory:
    content = read_yaml(
        path, OccupationsFile, "a file of occupations must be a mapping that starts with `occupations:`"
    )
    return Inventory(
        tuple(
            Item(name, tuple(forms.source or [name]), {MALE: tuple(forms.male), FEMALE: tuple(forms.female)})
            for name, forms in content.occupations.items()
        ),
        by="form",
    )


def _folder() -> Any:
    return resources.files("mtprobe.authoring.corpus") / "occupations"


def read_yaml(path: Path, model: type[Model], expected: str) -> Model:
    """A YAML file with the content of the model."""
    try:
        tree = read_tree(path)
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be read: {error.strerror}") from None
    if not isinstance(tree.value, dict):
        raise SuiteError.at(tree.place(()), expected)
    content: Model = validated(tree, model)
    return content
