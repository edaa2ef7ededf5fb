"""Dataclasses from what JSON gave, each field checked against its annotation: a damaged file is told, not believed.

Made for hundreds of thousands of lines: what an annotation asks for is worked out once.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, Literal, NamedTuple, cast

_LARGEST = 1 << 63  # of a number; none that is counted or measured comes near

Check: typing.TypeAlias = Callable[[Any], bool]


class Misshapen(ValueError):
    """A value that does not fit its field."""


class _Field(NamedTuple):
    types: frozenset[type]
    check: Check | None  # of what the type alone does not tell


class _Shape(NamedTuple):
    known: Mapping[str, _Field]
    required: frozenset[str]


def made(kind: type[Any], value: Any) -> Any:
    """The dataclass with the fields that it knows; others are passed over, and defaults stand in for what is missing."""
    if type(value) is not dict:
        raise Misshapen(f"{kind.__name__} is not a mapping of names to values")
    known, required = _shape(cast("Hashable", kind))
    held = {}
    for name, part in value.items():
        field = known.get(name)
        if field is None:
            continue
        if type(part) not in field.types or (
            field.check is not None and part is not None and not field.check(part)
        ):
            raise Misshapen(f'"{name}" cannot be {_shown(part)}')
        held[name] = part
    if not required <= held.keys():
        raise Misshapen(f'"{min(required - held.keys())}" is missing')
    return kind(**held)


def _shown(value: Any) -> str:
    text = repr(value) if type(value) is not int or abs(value) < _LARGEST else "so large a number"
    return text if len(text) <= 60 else f"{text[:57]}…"


@cache
def _shape(kind: Hashable) -> _Shape:
    hints = typing.get_type_hints(kind)
    found = fields(cast("Any", kind))
    required = {item.name for item in found if item.default is MISSING and item.default_factory is MISSING}
    return _Shape({item.name: _field(hints[item.name]) for item in found}, frozenset(required))


def _field(annotation: Any) -> _Field:
    """The types that a value may have, and how it is checked further."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        parts = [_field(argument) for argument in arguments]
        checks = {one: part.check for part in parts for one in part.types if part.check is not None}
        return _Field(frozenset(one for part in parts for one in part.types), _by_type(checks))
    if origin is Literal:
        return _Field(frozenset(map(type, arguments)), lambda value: value in arguments)
    if origin is tuple and arguments[-1:] == (...,):
        each = _whole(arguments[0])
        return _Field(frozenset({tuple}), lambda value: all(map(each, value)))
    if origin is tuple:
        ones = [_whole(argument) for argument in arguments]
        return _Field(frozenset({tuple}), lambda value: _each(ones, value))
    if origin is not None and issubclass(origin, Mapping):
        held = _whole(arguments[1])
        return _Field(frozenset({dict}), lambda value: all(map(held, value.values())))
    if annotation is int:
        return _Field(frozenset({int}), lambda value: -_LARGEST < value < _LARGEST)
    if annotation is float:
        return _Field(frozenset({int, float}), lambda value: -_LARGEST < value < _LARGEST)  # nor NaN
    return _Field(frozenset({type(None) if annotation is None else annotation}), None)


def _whole(annotation: Any) -> Check:
    kinds, check = _field(annotation)
    if check is None:
        return lambda value: type(value) in kinds
    return lambda value: type(value) in kinds and (value is None or check(value))


def _each(checks: list[Check], value: tuple[Any, ...]) -> bool:
    return len(value) == len(checks) and all(one(part) for one, part in zip(checks, value, strict=True))


def _by_type(checks: Mapping[type, Check]) -> Check | None:
    if not checks:
        return None
    return lambda value: type(value) not in checks or checks[type(value)](value)
