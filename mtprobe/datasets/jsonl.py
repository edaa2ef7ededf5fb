"""JSON Lines: one sample a line, with the keys of `samples` in a suite."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import ValidationError

from mtprobe.datasets.reading import Item, Reading
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.format.data import JsonLines
from mtprobe.suite.format.suite import SampleModel
from mtprobe.suite.parsing.lines import json_line, raw_lines
from mtprobe.suite.parsing.problems import located_problems

_ENDINGS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_AT_COLUMN = re.compile(r" at line \d+ column (?P<column>\d+)$")  # the parser sees one line at a time


def read(data: JsonLines, reading: Reading) -> Iterator[Item]:
    """Each line's sample, or what is wrong with the line. Empty lines are passed over."""
    path = reading.find("file", data.file)
    if data.format is None and not path.name.lower().endswith(_ENDINGS):
        from mtprobe.datasets import FORMATS

        raise SuiteError.at(
            reading.place("file"),
            f'cannot tell the format of "{data.file}"; give `format`: {", ".join(FORMATS)}',
        )
    for place, line in raw_lines(path):
        if text := line.rstrip():
            try:
                yield place, SampleModel.model_validate_json(text)
            except ValidationError as error:
                yield place, _located(error, text, place)


def _located(error: ValidationError, line: bytes, place: Place) -> SuiteError:
    first = error.errors(include_url=False)[0]
    if first["type"] != "json_invalid":
        try:
            held = json_line(line.decode(), place)
        except SuiteError as unreadable:  # what the one parser takes, the other may not
            return unreadable
        return SuiteError(located_problems(error, held, SampleModel, lambda _: place))
    reason = str(first["ctx"]["error"])
    found = _AT_COLUMN.search(reason)
    column = int(found["column"]) if found else 0
    return SuiteError.at(
        Place(place.path, place.line, column), f"not valid JSON: {_AT_COLUMN.sub('', reason)}"
    )
