"""JSON Lines: one sample a line, with the keys of `samples` in a suite."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from mtprobe.errors import Place, SuiteError
from mtprobe.suite.model import SampleModel
from mtprobe.suite.problems import located_problems


def read(path: Path) -> Iterator[tuple[Place, SampleModel | SuiteError]]:
    """Each line's sample, or what is wrong with the line. Empty lines are passed over."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                place = Place(path, number)
                try:
                    yield place, SampleModel.model_validate_json(line)
                except ValidationError as error:
                    yield place, _located(error, line, place)


def _located(error: ValidationError, line: bytes, place: Place) -> SuiteError:
    try:
        value = json.loads(line)
    except ValueError as reason:
        return SuiteError.at(place, f"not valid JSON: {reason}")
    return SuiteError(located_problems(error, value, SampleModel, lambda _: place))
