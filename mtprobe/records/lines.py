"""The lines of a record: which dataclass each kind of line holds, and how a line is parsed.

The dataclasses are the file format: pydantic reads them from their annotations. Unknown kinds and fields are ignored.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, TypeAlias, cast, get_args, get_type_hints

from pydantic import ConfigDict, GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails, SchemaValidator, core_schema

from mtprobe.gates.judge import GateResult
from mtprobe.methods.verdict import Result
from mtprobe.records.run import FailedSuite, RunFacts, SuiteRun, Unjudged, Unselected

_LIMIT = 1 << 63  # no count or measurement comes near it
_LONGEST = 160  # characters of a message


@dataclass(frozen=True, slots=True)
class End:
    """The last line of a record."""

    whole: bool = True  # every collected gate was judged, or a line says why not
    failed_samples: int = 0  # failures among samples that must each be correct, and among hunts


Line: TypeAlias = RunFacts | SuiteRun | Result | GateResult | FailedSuite | Unjudged | Unselected | End

KINDS: dict[str, type[Line]] = {
    "run": RunFacts,
    "suite": SuiteRun,
    "sample": Result,
    "gate": GateResult,
    "failed": FailedSuite,
    "unjudged": Unjudged,
    "unselected": Unselected,
    "end": End,
}


@cache
def keys_of(kind: Hashable) -> tuple[tuple[str, str], ...]:
    """The fields of a dataclass, each with its key in records."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((item.name, _alias(hints[item.name]) or item.name) for item in fields(cast("Any", kind)))


def _alias(annotation: Any) -> str | None:
    return next((info.alias for info in get_args(annotation)[1:] if isinstance(info, FieldInfo)), None)


class LineError(ValueError):
    """A problem with a line."""


def parse_line(line: bytes) -> Line | None:
    """The content of a line; None if its kind is unknown."""
    try:
        return cast("Line", _validator().validate_json(line))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
    if first["type"] == "union_tag_invalid":
        return None
    raise LineError(_message(first))


class _AnyLine:
    """Chooses the dataclass by the key `kind`."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {kind: handler.generate_schema(content) for kind, content in KINDS.items()}
        return core_schema.tagged_union_schema(choices, discriminator="kind")


@cache
def _validator() -> SchemaValidator:
    adapter = TypeAdapter(_AnyLine, config=ConfigDict(strict=True, allow_inf_nan=False))
    return SchemaValidator(_restricted(adapter.core_schema))


def _restricted(schema: Any) -> Any:
    """The schema with a limit on every number, and one error instead of one per member for every union."""
    if isinstance(schema, list):
        return [_restricted(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    restricted = {key: _restricted(value) for key, value in schema.items()}
    if schema.get("type") in ("int", "float"):
        restricted |= {"gt": -_LIMIT, "lt": _LIMIT}
    elif schema.get("type") == "union":
        members = " or ".join(choice["type"] for choice in schema["choices"])
        restricted |= {"custom_error_type": "union", "custom_error_message": f"Input should be {members}"}
    return restricted


def _message(error: ErrorDetails) -> str:
    field = ".".join(str(part) for part in error["loc"][1:])  # after the kind
    if error["type"] == "missing":
        message = f'"{field}" is missing'
    elif error["type"] == "union_tag_not_found":
        message = '"kind" is missing'
    else:
        text = error["msg"][:1].lower() + error["msg"][1:]
        message = f'"{field}": {text}' if field else text.replace(" at line 1 column", " at column")
    return message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1]}…"
