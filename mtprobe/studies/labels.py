"""Human labels of samples: a JSON Lines, TSV or CSV file with an id, a label and perhaps an annotator per line."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from mtprobe.errors import MtprobeError, Place, did_you_mean

_ANNOTATOR = "annotator"
_SEPARATORS = {".tsv": "\t", ".csv": ","}


class LabelsError(MtprobeError):
    """A label file that cannot be read."""


@dataclass(frozen=True, slots=True)
class LabelKeys:
    """The names of the fields; other fields are ignored."""

    id: str = "id"
    label: str = "label"


@dataclass(frozen=True, slots=True)
class Label:
    """What one person said about one sample."""

    id: str
    text: str
    annotator: str
    place: Place


def read_labels(path: Path, keys: LabelKeys | None = None) -> list[Label]:
    """A file's labels. Without a field `annotator` all labels are one person's, named after the file."""
    keys = keys or LabelKeys()
    labels: dict[tuple[str, str], Label] = {}
    for place, fields in _records(path):
        label = _label(fields, keys, path, place)
        first = labels.setdefault((label.annotator, label.id), label)
        if first is not label:
            raise LabelsError(
                f'{place}: a second label by "{label.annotator}" for "{label.id}"; the first is on line {first.place.line}'
            )
    if not labels:
        raise LabelsError(f"{path}: has no labels")
    return list(labels.values())


def _label(fields: Mapping[str, Any], keys: LabelKeys, path: Path, place: Place) -> Label:
    id, label = (_text(fields, key, place) for key in (keys.id, keys.label))
    annotator = _text(fields, _ANNOTATOR, place) if fields.get(_ANNOTATOR) is not None else path.stem
    return Label(id, label, annotator, place)


def _text(fields: Mapping[str, Any], key: str, place: Place) -> str:
    if key not in fields:
        raise LabelsError(f'{place}: has no "{key}"{did_you_mean(key, fields)}')
    value = fields[key]
    if isinstance(value, list) and len(value) == 1:  # from tools that allow several labels
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise LabelsError(f'{place}: "{key}" must be a text, not {json.dumps(value)}')
    return str(value).strip()


def _records(path: Path) -> Iterator[tuple[Place, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            if path.suffix.lower() in (".jsonl", ".ndjson"):
                yield from _json_lines(stream, path)
            elif separator := _SEPARATORS.get(path.suffix.lower()):
                yield from _table(stream, path, separator)
            else:
                raise LabelsError(f"{path}: a label file ends in .jsonl, .tsv or .csv")
    except OSError as error:
        raise LabelsError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LabelsError(f"{path}: not UTF-8 text") from None


def _json_lines(stream: TextIO, path: Path) -> Iterator[tuple[Place, dict[str, Any]]]:
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        place = Place(path, number)
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            raise LabelsError(f"{place}: not valid JSON") from None
        if not isinstance(fields, dict):
            raise LabelsError(f'{place}: a line must be an object, for example {{"id": "…", "label": "…"}}')
        yield place, fields


def _table(stream: TextIO, path: Path, separator: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Rows after a header; a tab-separated file has no quoting."""
    rows = (
        csv.reader(stream, delimiter=separator, quoting=csv.QUOTE_NONE)
        if separator == "\t"
        else csv.reader(stream, delimiter=separator, strict=True)
    )
    try:
        header = next(rows, None)
        if header is None:
            return
        for row in rows:
            place = Place(path, rows.line_num)
            if not row:
                continue
            if len(row) != len(header):
                raise LabelsError(f"{place}: {len(row)} fields, but {len(header)} in the header")
            yield place, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise LabelsError(f"{Place(path, rows.line_num)}: {error}") from None
