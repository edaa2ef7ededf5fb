"""The keys of templates: sentences with slots, and the values that fill them."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic.json_schema import WithJsonSchema
from pydantic_core import PydanticCustomError

from mtprobe.suite.format.evidence import Evidence
from mtprobe.suite.format.fields import (
    SCALAR,
    TEXT_OR_LIST,
    Attribute,
    Name,
    Strict,
    Text,
    as_list,
    different,
    scalar,
)


class SlotFile(Strict):
    """A slot's values from a file."""

    file: Text
    """A text file with one value per line, or a YAML file with a list or a mapping of values, next to the suite."""


def _slot_values(value: Any) -> Any:
    """A list of words is short for a mapping of words without attributes."""
    if isinstance(value, list):
        words = [
            str(word) if isinstance(word, int | float) and not isinstance(word, bool) else word
            for word in value
        ]
        if not all(isinstance(word, str) for word in words):
            raise PydanticCustomError(
                "slot_word", "a slot's values are words; put them in quotes if necessary"
            )
        return dict.fromkeys(different(words))
    return value


def _kind_of_slot(value: Any) -> str:
    if isinstance(value, dict):
        return "file" if set(value) == {"file"} and isinstance(value["file"], str) else "values"
    return "file" if isinstance(value, SlotFile) else "values"


SlotValues: TypeAlias = Annotated[
    dict[str, dict[str, Attribute] | None],
    Field(min_length=1),
    BeforeValidator(_slot_values),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
                {
                    "type": "object",
                    "additionalProperties": {"type": ["object", "null"], "additionalProperties": SCALAR},
                    "minProperties": 1,
                },
            ]
        }
    ),
]
Slot: TypeAlias = Annotated[
    Annotated[SlotFile, Tag("file")] | Annotated[SlotValues, Tag("values")], Discriminator(_kind_of_slot)
]
Slots: TypeAlias = dict[str, Slot]


def _scalar_or_conditions(value: Any) -> Any:
    if isinstance(value, dict):
        if not all(isinstance(condition, str) for condition in value.values()):
            raise PydanticCustomError(
                "condition", "each value of a derived attribute has a condition, as text"
            )
        return value
    return scalar(value)


Derived: TypeAlias = dict[str, dict[str, str]]
TemplateAttribute: TypeAlias = Annotated[
    Any,
    BeforeValidator(_scalar_or_conditions),
    WithJsonSchema({"anyOf": [SCALAR, {"type": "object", "additionalProperties": {"type": "string"}}]}),
]


class Template(Evidence):
    """A sentence with slots; every combination of their values is a sample."""

    id: Name | None = None
    """The first part of the samples' ids. By default made from the words around the slots."""
    source: Text
    """The sentence, with `{slot}` where a value goes, `{slot.attribute}` where an attribute of the value goes, and `<…>` around the focus. `{{` is a literal brace. `[…]` marks a clause that `mtprobe hunt` may drop; samples keep it. `\\[` is a literal bracket."""
    slots: Slots = Field(default_factory=dict)
    """A list of values, a mapping from value to attributes, or a file. The attribute `category` sets the category; any attribute can be filled in as `{slot.attribute}`."""
    attributes: dict[str, TemplateAttribute] = Field(default_factory=dict)
    """Attributes of all samples of this template. A mapping is derived: each value with the condition under which it holds (`pro: typical == category`)."""
    except_: list[dict[str, Annotated[list[str], BeforeValidator(as_list), WithJsonSchema(TEXT_OR_LIST)]]] = (
        Field(default_factory=list, alias="except")
    )
    """Combinations of slot values to omit: `{occupation: nurse, possessive: his}`."""
