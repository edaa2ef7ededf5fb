"""Translates Pydantic's errors for suite authors."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from mtprobe.errors import MOST_PROBLEMS, Place, Problem, SuiteError, did_you_mean
from mtprobe.suite.format.fields import MARK, NO_CONTROL_CHARACTERS, Models
from mtprobe.suite.parsing.slips import missing_space_in_flow
from mtprobe.suite.parsing.tree import Location, Tree

_FEW_KEYS = 2  # are all shown, even if one may be omitted
_MANY_TYPOS = 50  # of one mapping: more are not typos

_WORDS = {
    "missing": "is missing",
    "string_type": "must be text; put it in quotes",
    "list_type": "must be a list",
    "list_of_items": 'must be a list; begin each item with "- "',
    "dict_type": "must be a mapping of names to values",
    "model_type": "must be a mapping of names to values",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "literal_error": "must be {expected}",
    "string_too_short": "is empty",
    "string_pattern_mismatch": "must be a name: letters, digits, spaces, dots and dashes",
    "string_too_long": "is longer than {max_length} characters",
    "too_short": "must have at least one entry",
    "greater_than_equal": "must be at least {ge}",
}
# Other words for keys, as authors write them.
_SYNONYMS = {
    "sentence": "source",
    "text": "source",
    "right": "correct",
    "wrong": "incorrect",
}
_BY_LANGUAGE = frozenset({"must_contain", "must_not_contain", "lemmas", "targets", "references"})
_SIDES = frozenset({"good", "bad", "correct", "incorrect"})
_VERSION = ("mtprobe",)
_VERSION_WORDS = {
    "missing": "is missing; a suite begins with the line `mtprobe: 1`",
    "literal_error": "must be 1, without quotes; this mtprobe reads version 1 of the format",
}
_PATTERNS = {
    NO_CONTROL_CHARACTERS: "contains a control character",
    MARK: "must be a mark: a letter, then letters, digits and _",
}


def validated(tree: Tree, annotation: Any) -> Any:
    """The tree's value as the annotated type, or a `SuiteError` with everything that is wrong."""
    try:
        return TypeAdapter(annotation).validate_python(tree.value)
    except ValidationError as error:
        raise SuiteError(located_problems(error, tree.value, annotation, tree.place)) from None


def located_problems(
    error: ValidationError, value: Any, annotation: Any, place: Callable[[Location], Place]
) -> list[Problem]:
    """One problem per error, at its place; of very many only the first ones in the file."""
    located = [(details, _in_the_file(details["loc"], value)) for details in error.errors(include_url=False)]
    misspelt: dict[Location, list[str]] = {}
    for details, location in located:
        if details["type"] == "extra_forbidden":
            misspelt.setdefault(location[:-1], []).append(str(location[-1]))
    placed = [(place(location), details, location) for details, location in located]
    placed.sort(key=lambda problem: (problem[0].line, problem[0].column))
    problems: list[Problem] = []
    for where, details, location in placed:
        if details["type"] == "missing" and _is_meant(str(location[-1]), misspelt.get(location[:-1], [])):
            continue  # the key is there, with a typo
        if _lacks_language(location):
            at = place(location[:-1])
            if all(problem.place != at for problem in problems):
                sides = f"{{pt: {{{location[-1]}: …}}}}"
                problems.append(
                    Problem(at, f"{_named(location[:-1], value)}: begin with the language: {sides}")
                )
            continue
        name, message = _named(location, value), _say(details, location, annotation)
        problems.append(Problem(where, f"{name}: {message}" if name else message))
        if len(problems) == MOST_PROBLEMS:
            break
    return problems


def _lacks_language(location: Location) -> bool:
    """Whether `good` or `correct` is written where a language is expected."""
    return len(location) > 1 and location[-2] in _BY_LANGUAGE and location[-1] in _SIDES


def _is_meant(missing: str, unknown: Sequence[str]) -> bool:
    """Whether one of the unknown keys beside it is a misspelling of the missing one."""
    return any(
        _SYNONYMS.get(key) == missing or difflib.get_close_matches(key.casefold(), [missing], cutoff=0.6)
        for key in unknown[:_MANY_TYPOS]
    )


def _named(location: Location, value: Any) -> str:
    """The location, as a person would write it; a sample by its id, if it has one."""
    if len(location) < 3 or location[0] != "samples" or not isinstance(location[1], int):
        return written(location)
    samples = value.get("samples") if isinstance(value, Mapping) else None
    sample = samples[location[1]] if isinstance(samples, list) else samples
    id = sample.get("id") if isinstance(sample, Mapping) else None
    return f'sample "{id}": {written(location[2:])}' if isinstance(id, str) and id else written(location)


def written(location: Location) -> str:
    """`samples[3].category`, as a person would write it."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _in_the_file(loc: Sequence[str | int], value: Any) -> Location:
    """Pydantic's location without the names of our unions, which the file does not have."""
    location: list[str | int] = []
    for number, part in enumerate(loc):
        if isinstance(value, Mapping) and part in value:
            value = value[str(part)]
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        elif (
            number < len(loc) - 1
            or part == "[key]"
            or not isinstance(value, Mapping)
            or isinstance(part, int)
        ):
            continue
        location.append(part)
    return tuple(location)


def _say(details: ErrorDetails, location: Location, annotation: Any) -> str:
    kind = details["type"]
    if kind == "extra_forbidden":
        return f"unknown key{_known_key(location, annotation)}"
    if kind.endswith("_type") and (slip := _slip(kind, details["input"], location)):
        return slip
    if kind.endswith("_type") and details["input"] is None:
        return "is empty"
    if location == _VERSION and kind in _VERSION_WORDS:
        return _VERSION_WORDS[kind]
    if kind == "list_type" and isinstance(details["input"], Mapping):
        kind = "list_of_items"
    if kind == "list_type" and isinstance(details["input"], bool | int | float):
        return f'must be text; put it in quotes: "{str(details["input"]).lower()}"'
    if kind == "list_type" and isinstance(details["input"], str) and "," in details["input"]:
        return f"must be a list: [{details['input']}]"
    if kind == "string_type" and isinstance(details["input"], list) and location == ("method",):
        return f"is one method; for several, write `methods: [{', '.join(map(str, details['input']))}]`"
    if kind == "string_type" and isinstance(details["input"], list):
        return "must be text, not a list; remove the brackets, or the dashes, around it"
    if kind in ("dict_type", "model_type"):
        if location[-2:-1] == ("slots",) and isinstance(details["input"], str):
            return f"must be a list, even of one word: [{details['input']}]"
        if location[-3:-2] == ("slots",) and isinstance(details["input"], str):
            return f"must be a mapping of attributes, as in {{typical: {details['input']}}}"
        if isinstance(details["input"], list) and all(isinstance(item, Mapping) for item in details["input"]):
            return 'must be a mapping, not a list; remove the "- " before each name'
        if keys := _required_keys(location, annotation):
            return f"must be a mapping: {{{', '.join(f'{key}: …' for key in keys)}}}"
    if kind == "string_pattern_mismatch" and details["ctx"]["pattern"] in _PATTERNS:
        return _PATTERNS[details["ctx"]["pattern"]]
    words = _WORDS.get(kind)
    return words.format(**details.get("ctx", {})) if words else details["msg"]


def _known_key(location: Location, annotation: Any) -> str:
    """A hint at the key that is meant instead of the last one, or at where this one belongs."""
    key = str(location[-1])
    keys = [name for owner in _models_at(annotation, location[:-1]) for name in field_names(owner)]
    if _SYNONYMS.get(key) in keys:
        return f'; did you mean "{_SYNONYMS[key]}"?'
    in_suite = [name for owner in _models_at(annotation, ()) for name in field_names(owner)]
    if len(location) > 1 and location[0] in ("samples", "generate") and key in in_suite:
        return "; it belongs to the suite, not to a sample"
    return did_you_mean(key, keys)


def _required_keys(location: Location, annotation: Any) -> list[str]:
    """The keys of a mapping at this location; empty if it may be of several kinds, or needs none."""
    models = [*_models_at(annotation, location)]
    if len(models) != 1 or not location:
        return []
    fields = models[0].model_fields.items()
    return [field.alias or name for name, field in fields if field.is_required() or len(fields) <= _FEW_KEYS]


def _slip(kind: str, value: Any, location: Location) -> str | None:
    """The probable intention of an author who wrote a value of another type."""
    if not location:
        return None
    if location in (("labels",), ("audit",)) and isinstance(value, str | list):
        files = value if isinstance(value, str) else "[…]"
        return f"begin with the language: {{pt: {files}}}"
    if location[0] == "terms" and isinstance(value, str):
        return f"begin with the language: {{pt: {{{location[-1]}: {value}}}}}"
    if location[-2:-1] == ("slots",) and isinstance(value, str) and value.endswith((".txt", ".yaml", ".yml")):
        return f"write {{file: {value}}}"
    if location[0] == "data" and isinstance(value, str):
        return f"write {{file: {value}}}"
    if value is None and "." in str(location[-1]):
        return f'put it in quotes: "{{{location[-1]}}}"'
    a_text = kind in ("list_type", "string_type")
    if a_text and isinstance(value, Mapping) and len(value) == 1 and [*value.values()] == [None]:
        return f'put it in quotes: "{{{next(iter(value))}}}"'
    if isinstance(value, str | list) and location[-1] in _BY_LANGUAGE:
        words = value if isinstance(value, list) else [value]
        if all(isinstance(word, str) for word in words):
            return f"begin with the language: {{pt: [{', '.join(words)}]}}"
    return missing_space_in_flow(value) if isinstance(value, str) else None


def field_names(model: type[BaseModel]) -> list[str]:
    """The keys as they are written in a suite."""
    return [field.alias or name for name, field in model.model_fields.items()]


def _models_at(annotation: Any, location: Location) -> Iterator[type[BaseModel]]:
    """The models that a location may have, found by following the annotations."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not location:
            yield annotation
            return
        for name, field in annotation.model_fields.items():
            if location[0] in (name, field.alias):
                yield from _models_at(field.annotation, location[1:])
        return
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        listed = next((item for item in annotation.__metadata__ if isinstance(item, Models)), None)
        for argument in listed.models() if listed else arguments[:1]:
            yield from _models_at(argument, location)
    elif origin in (typing.Union, types.UnionType):
        for argument in arguments:
            yield from _models_at(argument, location)
    elif origin is list and location:
        # a single value is short for a list of one
        yield from _models_at(arguments[0], location[1:] if isinstance(location[0], int) else location)
    elif origin is list:
        yield from _models_at(arguments[0], location)
    elif origin is dict and location:
        yield from _models_at(arguments[1], location[1:])
