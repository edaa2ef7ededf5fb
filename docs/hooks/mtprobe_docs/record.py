"""The run record: its kinds of lines, and the objects inside them."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import typing
from collections.abc import Iterator

from mtprobe.records.lines import KINDS, keys_of
from mtprobe_docs.dataclass_fields import fields_of
from mtprobe_docs.markdown import code, table


def record() -> str:
    lines = {owner: f"`{kind}` lines" for kind, owner in KINDS.items()}
    parts: dict[type, str] = {}
    for owner, heading in lines.items():
        parts[owner] = _section(f"## {heading}", owner)
    inner = [owner for start in lines for owner in _inside(start) if owner not in lines]
    sections = [*parts.values(), "## Objects inside lines"]
    sections += [_section(f"### {owner.__name__}", owner) for owner in dict.fromkeys(inner)]
    return "\n\n".join(sections)


def _section(heading: str, owner: type) -> str:
    about = "" if (owner.__doc__ or "").startswith(f"{owner.__name__}(") else inspect.getdoc(owner) or ""
    if issubclass(owner, enum.Enum):
        return f"{heading}\n\n{about}\n\nOne of {', '.join(code(str(member.value)) for member in owner)}."
    keys = dict(keys_of(owner))
    rows = [(code(keys[field.name]), _words(field.kind), field.about) for field in fields_of(owner)]
    return f"{heading}\n\n{about}\n\n{table(['field', 'value', 'meaning'], rows)}"


def _inside(owner: type) -> Iterator[type]:
    """The dataclasses and enumerations that its fields hold, each before what is inside it."""
    if not dataclasses.is_dataclass(owner):
        return
    for hint in typing.get_type_hints(owner).values():
        for part in _parts(hint):
            yield part
            yield from _inside(part)


def _parts(hint: object) -> Iterator[type]:
    if isinstance(hint, type) and (dataclasses.is_dataclass(hint) or issubclass(hint, enum.Enum)):
        yield hint
    for argument in typing.get_args(hint):
        yield from _parts(argument)


def _words(kind: str) -> str:
    return code(kind.replace(" | None", " or null").replace("tuple[", "list[").replace(", ...]", "]"))
