"""Reads the lines of data files, plain or gzipped; errors are reported with their line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from mtprobe.errors import Place, SuiteError
from mtprobe.suite.parsing.encodings import decoding_message, not_plain_text
from mtprobe.suite.parsing.limits import (
    MAX_DATA_BYTES,
    MAX_DATA_LINES,
    MAX_JSON_CHARACTERS,
    MAX_LINE_BYTES,
)
from mtprobe.suite.parsing.problems import located_problems
from mtprobe.system import text_files

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # one half of a pair

Model = TypeVar("Model", bound=BaseModel)


def raw_lines(path: Path) -> Iterator[tuple[Place, bytes]]:
    """Each line without its end; only a line feed ends one, so that files stay parallel."""
    limits = text_files.Limits(MAX_LINE_BYTES, MAX_DATA_LINES, MAX_DATA_BYTES)
    try:
        for number, line in text_files.raw_lines(path, limits):
            yield Place(path, number), line.rstrip(b"\r\n")
    except text_files.TextFileError as error:
        raise SuiteError.at(error.place, error.reason) from None


def text_lines(path: Path) -> Iterator[tuple[Place, str | SuiteError]]:
    """Each line as text; of one that is not UTF-8, the error."""
    for place, line in raw_lines(path):
        if place.line == 1 and (document := not_plain_text(line)):
            raise SuiteError.at(place, document)
        try:
            yield place, line.decode()
        except UnicodeDecodeError as error:
            yield place, SuiteError.at(place, decoding_message(line, error.start))


def parallel_lines(paths: Mapping[str, Path]) -> Iterator[dict[str, tuple[Place, str | SuiteError]]]:
    """The n-th lines of all files, by the files' keys. Files of different lengths are an error from the start."""
    counts = {key: sum(1 for _ in raw_lines(path)) for key, path in paths.items()}
    first, *others = paths
    for key in others:
        if counts[key] != counts[first]:
            short, long = sorted((key, first), key=lambda key: counts[key])
            place = Place(paths[short], counts[short] + 1)
            raise SuiteError.at(
                place,
                f"{paths[short].name} has {counts[short]:,} lines, {paths[long]} has {counts[long]:,}; "
                "they must match",
            )
    for lines in zip(*map(text_lines, paths.values()), strict=True):
        yield dict(zip(paths, lines, strict=True))


def json_items(path: Path) -> Iterator[tuple[Place, Any]]:
    """The items of a JSON array, each with the line on which it begins."""
    text = _text(path)
    decoder, surrogates = json.JSONDecoder(), bool(_SURROGATE.search(text))
    at, line, counted = _past_spaces(text, 0), 1, 0

    def malformed(message: str) -> SuiteError:
        return SuiteError.at(Place(path, 1 + text.count("\n", 0, at)), f"not valid JSON: {message}")

    if text[at : at + 1] != "[":
        raise SuiteError.at(Place(path, 1), "not a JSON array")
    at = _past_spaces(text, at + 1)
    while text[at : at + 1] != "]":
        line += text.count("\n", counted, at)
        counted = at
        try:
            item, at = decoder.raw_decode(text, at)
            _check_characters(item, surrogates)
        except (ValueError, RecursionError) as error:
            raise _not_json(Place(path, line), error) from None
        yield Place(path, line), item
        at = _past_spaces(text, at)
        if text[at : at + 1] not in (",", "]"):
            raise malformed("a comma is missing")
        if text[at] == ",":
            at = _past_spaces(text, at + 1)
            if text[at : at + 1] == "]":
                raise malformed("a comma before the end")
    if _past_spaces(text, at + 1) < len(text):
        raise malformed("text after the array")


def json_document(path: Path) -> Any:
    """A whole JSON file."""
    text = _text(path)
    try:
        return _check_characters(json.loads(text), bool(_SURROGATE.search(text)))
    except (ValueError, RecursionError) as error:
        raise _not_json(Place(path, 1), error) from None


def json_line(line: str, place: Place, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """One line of JSON; `pairs` builds an object from its keys and values."""
    try:
        return _check_characters(json.loads(line, object_pairs_hook=pairs), bool(_SURROGATE.search(line)))
    except (ValueError, RecursionError) as error:
        problem = _not_json(place, error).problems[0]
        raise SuiteError.at(Place(place.path, place.line, problem.place.column), problem.message) from None


def checked(model: type[Model], value: Any, place: Place) -> Model:
    """The value as the model, or an error at the place."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise SuiteError(located_problems(error, value, model, lambda _: place)) from None


def _check_characters(value: Any, surrogates: bool) -> Any:
    """The value. JSON can contain a lone surrogate, `\\ud800`, which is not text: a UnicodeEncodeError."""
    if surrogates:
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _text(path: Path) -> str:
    """All lines of a JSON file, which is held in memory."""
    lines, size = [], 0
    for place, line in text_lines(path):
        if isinstance(line, SuiteError):
            raise line
        lines.append(line)
        size += len(line)
        if size > MAX_JSON_CHARACTERS:
            raise SuiteError.at(
                place, f"more than {MAX_JSON_CHARACTERS / 1e6:.0f} MB of JSON; use JSON Lines for more"
            )
    return "\n".join(lines)


def _past_spaces(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in " \t\r\n":
        at += 1
    return at


def _not_json(place: Place, error: ValueError | RecursionError) -> SuiteError:
    """The error, at the place that the parser reports, or else at the given one."""
    if isinstance(error, json.JSONDecodeError):
        return SuiteError.at(Place(place.path, error.lineno, error.colno), f"not valid JSON: {error.msg}")
    if isinstance(error, UnicodeEncodeError):
        surrogate = str(error.object)[error.start : error.start + 1]
        return SuiteError.at(place, f"not valid JSON: {surrogate} is a lone surrogate")
    deep = isinstance(error, RecursionError)  # otherwise a number that Python refuses to read
    return SuiteError.at(
        place, f"not valid JSON: {'nested too deeply' if deep else 'a number with too many digits'}"
    )
