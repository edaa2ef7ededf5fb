"""The entries of `data:`: keys shared by all formats, and the keys of each format."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, PlainValidator, Tag
from pydantic_core import PydanticCustomError

from mtprobe.errors import did_you_mean
from mtprobe.suite.data import DataFormat
from mtprobe.suite.format.fields import Models, Strict
from mtprobe.suite.sample import Scalar

DEFAULT = "jsonl"  # the format of an entry that names none


class Data(Strict):
    """Samples from files. The other keys depend on the format. Files may be compressed with gzip; a name without `.gz` matches both."""

    KNOWN: ClassVar[tuple[str, ...]] = ()  # attributes that the format's samples have

    format: str | None = None
    """How the files are laid out; by default inferred from the file's extension."""
    missing: Literal["error", "skip"] = "error"
    """What happens when a file is missing: `skip` skips the suite, visibly, for suites whose data not everybody has."""

    @property
    def name(self) -> str:
        """The file or folder that it reads, for messages."""
        named = (getattr(self, key, None) for key in ("file", "folder", "text"))
        return next((str(value) for value in named if value), "the entry")

    @property
    def scales(self) -> Mapping[str, tuple[Scalar, ...]]:
        """Attributes of the format's targets whose values are words, in order; `variants` of the suite come first."""
        return {}

    @property
    def known_attributes(self) -> tuple[str, ...]:
        """The attributes that derived attributes of the suite may refer to, also those that the entry lists."""
        return (*self.KNOWN, *getattr(self, "attributes", ()))


def entry_type(formats: Mapping[str, DataFormat]) -> Any:
    """The type of one entry. A format is looked up when an entry names it, so that no other has to be loaded."""

    def read(value: Any) -> Data:
        name = _format_of(value)
        if name not in formats:
            raise PydanticCustomError(
                "format",
                'unknown format "{format}"{hint}',
                {"format": name, "hint": did_you_mean(name, formats)},
            )
        entry: Data = formats[name].entry.model_validate(value)
        return entry

    models = Models(lambda: (format.entry for format in formats.values()))
    return Annotated[Data, PlainValidator(read), models]


def described_entry_type(formats: Mapping[str, DataFormat]) -> Any:
    """The same type with all formats spelled out, for the JSON Schema."""
    models = [Annotated[format.entry, Tag(name)] for name, format in formats.items()]
    return Annotated[reduce(or_, models), Discriminator(_format_of)]


def _format_of(value: Any) -> str:
    format = value.get("format") if isinstance(value, dict) else getattr(value, "format", None)
    return format if isinstance(format, str) else DEFAULT
