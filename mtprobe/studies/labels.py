"""Human labels of samples: a JSON Lines, TSV or CSV file with id, label and optional annotator per line.

A label says that the translation is correct or incorrect, or is skipped.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from mtprobe.errors import MtprobeError, Place, did_you_mean
from mtprobe.studies.observations import records
from mtprobe.suite.labels import UNCLEAR, read_label_file
from mtprobe.suite.parsing.encodings import decoding_message

_ANNOTATOR = "annotator"
_SEPARATORS = {".tsv": "\t", ".csv": ","}
_SEPARATOR_NAMES = {"\t": "tabs", ",": "commas", ";": "semicolons"}


@dataclass(frozen=True, slots=True)
class LabelKeys:
    """The names of the fields; other fields are ignored."""

    id: str = "id"
    label: str = "label"


@dataclass(frozen=True, slots=True)
class Label:
    """One person's label of one sample."""

    id: str
    text: str
    annotator: str
    place: Place
    translation: str | None = None  # what was labelled, if the file says so; None: whatever the run has

    @property
    def key(self) -> tuple[str, str, str | None]:
        """One person labels a translation once."""
        return self.annotator, self.id, self.translation


def read_labels(path: Path, keys: LabelKeys | None = None) -> list[Label]:
    """A file's labels. Without a field `annotator` all labels are one person's, named after the file."""
    keys = keys or LabelKeys()
    if path.suffix.lower() == ".tsv" and (lines := _label_file(path)) is not None:
        return lines
    labels: dict[tuple[str, str, str | None], Label] = {}
    for place, fields in _records(path):
        id, text = _text(fields, keys.id, place), _text(fields, keys.label, place)
        annotator = _text(fields, _ANNOTATOR, place) if fields.get(_ANNOTATOR) is not None else path.stem
        label = Label(id, text, annotator, place)
        first = labels.setdefault(label.key, label)
        if first is not label:
            raise MtprobeError(
                f'{place}: a second label by "{label.annotator}" for "{label.id}"; the first is on line {first.place.line}'
            )
    if not labels:
        raise MtprobeError(f"{path}: has no labels")
    return list(labels.values())


def _label_file(path: Path) -> list[Label] | None:
    """The labels of a file that `mtprobe label` wrote; None if it is another one."""
    try:
        with path.open(encoding="utf-8-sig") as stream:
            header = stream.readline().rstrip("\r\n").split("\t")
        if not {"translation", "labelled_by"} <= set(header):
            return None
        lines = read_label_file(path, None)
    except (OSError, UnicodeDecodeError):
        return None  # reading it as another file reports that
    labels = [
        Label(line.id, line.label, line.labelled_by or path.stem, Place(path), line.translation)
        for line in lines
        if line.label
    ]
    if not labels:
        raise MtprobeError(f"{path}: has no labels")
    return labels


def _text(fields: Mapping[str, Any], key: str, place: Place) -> str:
    if key not in fields:
        raise MtprobeError(f'{place}: has no "{key}"{did_you_mean(key, fields)}')
    value = fields[key]
    if isinstance(value, list) and len(value) == 1:  # from tools that allow several labels
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise MtprobeError(f'{place}: "{key}" must be a text, not {json.dumps(value)}')
    return str(value).strip()


def _records(path: Path) -> Iterator[tuple[Place, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            if path.suffix.lower() in (".jsonl", ".ndjson"):
                yield from _json_lines(stream, path)
            elif separator := _SEPARATORS.get(path.suffix.lower()):
                yield from _table(stream, path, separator)
            else:
                raise MtprobeError(f"{path}: a label file ends in .jsonl, .tsv or .csv")
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise MtprobeError(f"{path}: {decoding_message(error.object, error.start)}") from None


def _json_lines(stream: TextIO, path: Path) -> Iterator[tuple[Place, dict[str, Any]]]:
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        place = Place(path, number)
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            raise MtprobeError(f"{place}: not valid JSON") from None
        if not isinstance(fields, dict):
            raise MtprobeError(f'{place}: a line must be an object, for example {{"id": "…", "label": "…"}}')
        yield place, fields


def _table(stream: TextIO, path: Path, separator: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Rows after a header; a tab-separated file has no quoting."""
    rows = (
        csv.reader(stream, delimiter=separator, quoting=csv.QUOTE_NONE)
        if separator == "\t"
        else csv.reader(stream, delimiter=separator, strict=True)
    )
    try:
        header = next(rows, [])
        for other, name in _SEPARATOR_NAMES.items():
            if other != separator and len(header) == 1 and other in header[0]:
                raise MtprobeError(
                    f"{Place(path, 1)}: has {name} between the columns, not {_SEPARATOR_NAMES[separator]}"
                )
        yield from records(rows, header, path)
    except csv.Error as error:
        raise MtprobeError(f"{Place(path, rows.line_num)}: {error}") from None


class Meaning(StrEnum):
    CORRECT = "correct"
    INCORRECT = "incorrect"
    SKIP = "skip"


class Meanings:
    """Reads labels: `correct`, `incorrect`, a category that the translation conveys, or a meaning that the user gave.

    Case is ignored.
    """

    def __init__(self, given: Mapping[str, str], categories: Sequence[str]) -> None:
        self._categories = {category.casefold(): category for category in categories}
        known = [*Meaning, *categories]
        for text, meaning in given.items():
            if meaning.casefold() not in {name.casefold() for name in known}:
                raise MtprobeError(
                    f'--label "{text}={meaning}": there is no meaning "{meaning}"{did_you_mean(meaning, known)}'
                )
        self._given = {UNCLEAR: Meaning.SKIP.value} | {
            text.casefold(): meaning.casefold() for text, meaning in given.items()
        }

    def names_category(self, label: Label) -> str | None:
        """The category that the label names, if any."""
        return self._categories.get(self._word(label))

    def of(self, label: Label, category: str | None) -> Meaning:
        """The meaning of the label for a sample of this category."""
        word = self._word(label)
        if word in set(Meaning):
            return Meaning(word)
        named = self._categories.get(word)
        if named is None:
            known = [*list(Meaning)[:2], *self._categories.values()]
            raise MtprobeError(
                f'{label.place}: label "{label.text}" is not one of {", ".join(known)}; '
                f'give it a meaning, for example --label "{label.text}=skip"'
            )
        return Meaning.CORRECT if named == category else Meaning.INCORRECT

    def _word(self, label: Label) -> str:
        word = label.text.casefold()
        return self._given.get(word, word)


def read_meanings(texts: Sequence[str]) -> dict[str, str]:
    """`TEXT=MEANING` from the command line; the text may contain `=`."""
    meanings = {}
    for text in texts:
        label, sign, meaning = text.rpartition("=")
        if not sign or not label.strip() or not meaning.strip():
            raise MtprobeError(
                f'--label "{text}": write LABEL=MEANING, for example "too bad to tell=incorrect"'
            )
        meanings[label.strip()] = meaning.strip()
    return meanings
