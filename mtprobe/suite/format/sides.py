"""Evidence for and against a reading: right and wrong sides, or one side per choice."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, Discriminator, Field, Tag

from mtprobe.suite.format.fields import Attributes, Name, Strict, Texts


class Sides(Strict):
    """What speaks for the right reading, and what for the wrong one. One text, or a list of which the best counts."""

    correct: Texts
    """For the reading that the sentence has."""
    incorrect: Texts
    """For the reading that it does not have."""


SIDES = tuple(Sides.model_fields)


class VariantValues(Strict):
    """The values of one attribute: of the right targets and of the wrong ones, each in the targets' order."""

    correct: Attributes
    """Of each right target."""
    incorrect: Attributes
    """Of each wrong target."""


class TargetSides(Sides):
    """Whole sentences of the target language: right ones, and wrong ones that differ from them in one respect."""

    variants: dict[Name, VariantValues] = Field(default_factory=dict)
    """How the targets differ, for `bias`: `gender: {correct: masculine, incorrect: feminine}`."""


def is_mapping(value: Any) -> bool:
    return isinstance(value, dict | BaseModel)


def kind_of_sides(value: Any) -> str:
    """Two or more names that are neither `correct` nor `incorrect` are choices."""
    if isinstance(value, dict) and len(value) > 1 and not {*SIDES} & set(value):
        return "choices"
    return "sides"


Choices: TypeAlias = Annotated[
    dict[str, Texts],
    Field(min_length=2, json_schema_extra={"propertyNames": {"not": {"enum": list(SIDES)}}}),
]
# Evidence for the right and the wrong reading or, where no answer is right, for each of the choices.
SidesOrChoices: TypeAlias = Annotated[
    Annotated[Sides, Tag("sides")] | Annotated[Choices, Tag("choices")], Discriminator(kind_of_sides)
]
