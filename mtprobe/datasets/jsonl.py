"""JSON Lines: one sample per line, with the keys of `samples` in a suite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from pydantic import Field, ValidationError

from mtprobe.datasets.format import Format, read_guide
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.encodings import decoding_message, not_plain_text, wide_encoding
from mtprobe.suite.parsing.lines import json_line, raw_lines
from mtprobe.suite.parsing.problems import located_problems
from mtprobe.suite.parsing.slips import TYPOGRAPHIC_QUOTES


class JsonLines(Data):
    """One sample per line, with the keys of `samples`."""

    file: Text
    """A path relative to the suite's folder and inside it (or inside the data root)."""
    format: Literal["jsonl"] | None = None
    """Needed if the name does not end in `.jsonl`."""
    attributes: list[str] = Field(default_factory=list)
    """The attributes in the file that derived attributes of the suite refer to."""


_ENDINGS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_AT_COLUMN = re.compile(r" at line \d+ column (?P<column>\d+)$")  # the parser sees one line at a time


def read(data: JsonLines, reading: Reading) -> Iterator[Item]:
    """Each line's sample, or what is wrong with the line. Blank lines are ignored."""
    path = reading.find("file", data.file)
    if data.format is None and not path.name.lower().endswith(_ENDINGS):
        from mtprobe.datasets.registry import FORMATS

        raise SuiteError.at(
            reading.place("file"),
            f'cannot tell the format of "{data.file}"; name it with `format` ({", ".join(FORMATS)}), '
            "or write the samples as JSON Lines (.jsonl)",
        )
    for place, line in raw_lines(path):
        if place.line == 1 and (not_plain_text(line) or wide_encoding(line)):
            yield place, SuiteError.at(place, decoding_message(line, 0))
            return
        if text := line.rstrip():
            try:
                yield place, SampleModel.model_validate_json(text)
            except ValidationError as error:
                yield place, _located(error, text, place)


def _located(error: ValidationError, line: bytes, place: Place) -> SuiteError:
    first = error.errors(include_url=False)[0]
    if first["type"] != "json_invalid":
        try:
            value = json_line(line.decode(), place)
        except SuiteError as unreadable:  # the two parsers may differ in what they accept
            return unreadable
        return SuiteError(located_problems(error, value, SampleModel, lambda _: place))
    try:
        line.decode()
    except UnicodeDecodeError as undecodable:
        at = Place(place.path, place.line, undecodable.start + 1)
        return SuiteError.at(at, decoding_message(line, undecodable.start))
    reason = str(first["ctx"]["error"])
    match = _AT_COLUMN.search(reason)
    column = int(match["column"]) if match else 0
    return SuiteError.at(
        Place(place.path, place.line, column),
        f"not valid JSON: {_AT_COLUMN.sub('', reason)}{_hint(line, reason, column)}",
    )


def _hint(line: bytes, reason: str, column: int) -> str:
    text = line.decode(errors="replace")
    here = text[max(column - 1, 0) :].lstrip()[:1]
    if here and here in TYPOGRAPHIC_QUOTES:
        return f'; {here} is not a quote in JSON, only " is'
    if text.lstrip().startswith(("[", "]")):
        return "; each line is one sample, { … }, without brackets or commas around the lines"
    if reason.startswith("EOF"):
        return "; the line ends too early: a sample is on one line and ends with }"
    if reason.startswith("trailing characters"):
        return "; each line is one sample, without a comma after it"
    return ""


FORMAT = Format(
    name="jsonl",
    heading="JSON Lines",
    entry=JsonLines,
    read=read,
    published=False,
    guide=read_guide("jsonl"),
)
