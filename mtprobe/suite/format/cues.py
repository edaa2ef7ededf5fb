"""Cues: words that force one reading of a source when they are put before its focus."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from mtprobe.suite.format.fields import Name, Strict, Text, different
from mtprobe.suite.format.sides import Choices, Sides, SidesOrChoices, is_mapping, kind_of_sides

CuesByCategory: TypeAlias = dict[str, SidesOrChoices]


def _kind_of_cues(value: Any) -> str:
    """A mapping of mappings has one entry per category."""
    if isinstance(value, dict) and value and all(map(is_mapping, value.values())):
        return "by"
    return kind_of_sides(value)


Cues: TypeAlias = Annotated[
    Annotated[Sides, Tag("sides")]
    | Annotated[Choices, Tag("choices")]
    | Annotated[CuesByCategory, Tag("by")],
    Discriminator(_kind_of_cues),
]


def _two(names: list[str]) -> list[str]:
    if len(different(names)) != 2:
        raise PydanticCustomError(
            "two", "names two attributes, one for the word and one for the sense: [word, sense]"
        )
    return names


class CueFile(Strict):
    """Cues by word and sense, from a file such as `mtprobe cues` writes."""

    file: Text
    """A JSON Lines file beside the suite: each line has a `word`, its `sense`, and their `correct` and `incorrect` cues."""
    by: Annotated[
        list[Name], AfterValidator(_two), Field(json_schema_extra={"minItems": 2, "maxItems": 2})
    ] = ["word", "sense"]  # noqa: RUF012 - pydantic copies it
    """The samples' two attributes that say which word and which sense they have."""
    without: Literal["error", "omit"] = "error"
    """What happens to a sample whose word and sense have no cues in the file: it is an error, or omitted."""


def _kind_of_suite_cues(value: Any) -> str:
    if isinstance(value, str):
        return "form"
    # A category named "file" has a mapping there. A tag must not look like a key: errors name keys.
    if isinstance(value, CueFile) or (isinstance(value, dict) and isinstance(value.get("file"), str)):
        return "cue file"
    return "by"


SuiteCues: TypeAlias = Annotated[
    Annotated[Name, Tag("form")] | Annotated[CueFile, Tag("cue file")] | Annotated[CuesByCategory, Tag("by")],
    Discriminator(_kind_of_suite_cues),
]
