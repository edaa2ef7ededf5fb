"""Occupations with their male and female forms in the target language, all inflected forms included."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from mtprobe.authoring.corpus.matching import Inventory, Item
from mtprobe.errors import MtprobeError, SuiteError, did_you_mean
from mtprobe.suite.format.fields import Strict, Text, Texts
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import read_tree

MALE, FEMALE = "male", "female"


class Forms(Strict):
    """The forms of one occupation. A capitalised form is only found capitalised."""

    source: Texts | None = None
    """Its names in the source language, plural forms included; by default only its name."""
    male: Texts
    """Every inflected form that names a man, and no other form."""
    female: Texts
    """Every inflected form that names a woman, and no other form."""


def _distinct(forms: Forms) -> Forms:
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

    occupations: Annotated[dict[Text, Annotated[Forms, AfterValidator(_distinct)]], Field(min_length=1)]
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
            return _read(file)
    return _read(path)


def _read(path: Path) -> Inventory:
    try:
        tree = read_tree(path)
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be read: {error.strerror}") from None
    if not isinstance(tree.value, dict):
        raise SuiteError.at(
            tree.place(()), "a file of occupations must be a mapping that starts with `occupations:`"
        )
    content: OccupationsFile = validated(tree, OccupationsFile)
    return Inventory(
        tuple(
            Item(name, tuple(forms.source or [name]), {MALE: tuple(forms.male), FEMALE: tuple(forms.female)})
            for name, forms in content.occupations.items()
        ),
        by="form",
    )


def _folder() -> Any:
    return resources.files("mtprobe.authoring.corpus") / "occupations"
