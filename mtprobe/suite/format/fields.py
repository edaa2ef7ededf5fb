"""The field types of suites and data entries: texts, languages, names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic.json_schema import WithJsonSchema
from pydantic_core import PydanticCustomError

from mtprobe.language import tags
from mtprobe.language.names import tag_of


class Strict(BaseModel):
    """Unknown keys are errors, values are not converted, docstrings describe the keys."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


@dataclass(frozen=True, slots=True)
class Models:
    """In `Annotated`: the models that a value may have, for hints, where the type itself does not say."""

    models: Callable[[], Iterable[type[BaseModel]]]


def as_list(value: Any) -> Any:
    """A string is short for a list of one."""
    return [value] if isinstance(value, str) else value


MAX_DIGITS = 400  # of a number: Python refuses to read or write very long ones
MAX_TEXT = 20_000  # characters of a text


def is_count(text: str) -> bool:
    """Whether the text is a whole number in ASCII digits, of a size that can be worked with."""
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def scalar(value: Any) -> Any:
    """The value of an attribute, as it is."""
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
        raise PydanticCustomError("digits", f"a number with more than {MAX_DIGITS} digits")
    if not isinstance(value, str | int | float) or (isinstance(value, float) and not math.isfinite(value)):
        raise PydanticCustomError("scalar", "an attribute's value is a word, a number, true or false")
    return value


def different(values: list[str]) -> list[str]:
    """The list, which must have no duplicates."""
    for value, count in Counter(values).items():
        if count > 1:
            raise PydanticCustomError("duplicate", 'duplicate "{value}"', {"value": value})
    return values


def _language(value: str) -> str:
    if not tags.is_language(value):
        raise PydanticCustomError(
            "language",
            '"{tag}" is not a language tag; write {hint}',
            {
                "tag": value,
                "hint": f'"{known}"'
                if (known := tag_of(value))
                else "BCP 47, for example en, pt, pt-BR or zh-Hans",
            },
        )
    return tags.standard(value)


LANGUAGE_PATTERN = "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$"  # for editors; the registry decides

NO_CONTROL_CHARACTERS = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"
MARK = "^[A-Za-z][A-Za-z0-9_]*$"  # of pytest, which reserves names with a leading _
TEXT_OR_LIST = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
SCALAR = {"type": ["string", "number", "boolean"]}

# Without surrounding white space, such as the line break at the end of a YAML block.
Text: TypeAlias = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=MAX_TEXT, pattern=NO_CONTROL_CHARACTERS
    ),
    WithJsonSchema({"type": "string", "minLength": 1}),
]
Texts: TypeAlias = Annotated[
    list[Text], Field(min_length=1), BeforeValidator(as_list), WithJsonSchema(TEXT_OR_LIST)
]
Attribute: TypeAlias = Annotated[Any, BeforeValidator(scalar), WithJsonSchema(SCALAR)]
Attributes: TypeAlias = Annotated[
    list[Attribute],
    Field(min_length=1),
    BeforeValidator(lambda value: value if isinstance(value, list) else [value]),
    WithJsonSchema({"anyOf": [SCALAR, {"type": "array", "items": SCALAR, "minItems": 1}]}),
]
Language: TypeAlias = Annotated[
    str, AfterValidator(_language), WithJsonSchema({"type": "string", "pattern": LANGUAGE_PATTERN})
]
Name: TypeAlias = Annotated[
    str,
    Field(pattern=r"^\w[\w .-]*$", max_length=100),
    WithJsonSchema({"type": "string", "maxLength": 100}),  # in editors' regular expressions \w is ASCII only
]
