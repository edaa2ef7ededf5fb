"""JSON Lines: one sample a line, with the keys of `samples` in a suite."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from mtprobe.errors import Place, SuiteError
from mtprobe.suite.model import SampleModel
from mtprobe.suite.problems import located_problems

_AT_COLUMN = re.compile(r" at line \d+ column (?P<column>\d+)$")  # the parser sees one line at a time


def read(path: Path) -> Iterator[tuple[Place, SampleModel | SuiteError]]:
    """Each line's sample, or what is wrong with the line. Empty lines are passed over."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            text = line.rstrip()
            if number == 1:
                text = text.removeprefix(codecs.BOM_UTF8)
            if text:
                place = Place(path, number)
                try:
                    yield place, SampleModel.model_validate_json(text)
                except ValidationError as error:
                    yield place, _located(error, text, place)


def _located(error: ValidationError, line: bytes, place: Place) -> SuiteError:
    first = error.errors(include_url=False)[0]
    if first["type"] != "json_invalid":
        return SuiteError(located_problems(error, json.loads(line), SampleModel, lambda _: place))
    reason = str(first["ctx"]["error"])
    found = _AT_COLUMN.search(reason)
    column = int(found["column"]) if found else 0
    return SuiteError.at(
        Place(place.path, place.line, column), f"not valid JSON: {_AT_COLUMN.sub('', reason)}"
    )
