"""The data of a study: models with numbers and flags, from a CSV or TSV file or from a study file."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtprobe.errors import MtprobeError, Place, Problem, SuiteError, did_you_mean

_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True, slots=True)
class Observed:
    """One model."""

    name: str
    line: str | None  # models of one line are joined in the chart
    values: Mapping[str, float | bool]
    place: Place


@dataclass(frozen=True, slots=True)
class Observations:
    """All models of a study, what is to be explained, and by what."""

    about: str
    models: tuple[Observed, ...]
    outcomes: tuple[str, ...]
    on: tuple[str, ...]
    notes: tuple[str, ...] = ()  # how numbers were computed: the signatures of BLEU and chrF

    def numbers(self, name: str) -> list[float]:
        """A column; a flag counts as 1 or 0."""
        return [float(model.values[name]) for model in self.models]

    def is_flag(self, name: str) -> bool:
        return all(isinstance(model.values[name], bool) for model in self.models)


def checked(observations: Observations) -> Observations:
    """The same observations, or an error with every number that is missing."""
    if not observations.outcomes or not observations.on:
        raise MtprobeError(
            "a regression needs an outcome and something to explain it by: --outcome NAME --on NAME"
        )
    for name in observations.on:
        if name in observations.outcomes:
            raise MtprobeError(f'"{name}" cannot be explained by itself')
    problems = [
        Problem(model.place, f'model "{model.name}" has no "{name}"{did_you_mean(name, model.values)}')
        for model in observations.models
        for name in (*observations.outcomes, *observations.on)
        if name not in model.values
    ]
    if problems:
        raise SuiteError(problems[:20])
    return observations


def read_table(path: Path, outcomes: Sequence[str], on: Sequence[str]) -> Observations:
    """A CSV or TSV file with a header: `name`, perhaps `line`, and one column per number or flag."""
    models: dict[str, Observed] = {}
    for place, row in table_rows(path):
        name = row.pop("name", "").strip()
        if not name:
            raise MtprobeError(f"{place}: no name; a table of models needs a column `name`")
        if name in models:
            raise MtprobeError(
                f'{place}: a second model "{name}"; the first is on line {models[name].place.line}'
            )
        line = row.pop("line", "").strip() or None
        for key in (*outcomes, *on):
            if key not in row:
                raise MtprobeError(f'{Place(path, 1)}: there is no column "{key}"{did_you_mean(key, row)}')
        wanted = {key: text for key, text in row.items() if key in (*outcomes, *on)}
        values = {key: _value(text, key, place) for key, text in wanted.items() if text.strip()}
        models[name] = Observed(name, line, values, place)
    if not models:
        raise MtprobeError(f"{path}: has no models")
    return checked(Observations(path.stem, tuple(models.values()), tuple(outcomes), tuple(on)))


def _value(text: str, key: str, place: Place) -> float | bool:
    word = text.strip().lower()
    if word in _FLAGS:
        return _FLAGS[word]
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise MtprobeError(f'{place}: "{key}" must be a number, true or false, not "{text.strip()}"')
    return value


def read_column(path: Path, column: str) -> dict[str, float]:
    """A number for each name of a CSV or TSV file with the columns `name` and this one."""
    numbers: dict[str, float] = {}
    for place, row in table_rows(path):
        for key in ("name", column):
            if key not in row:
                raise MtprobeError(f'{Place(path, 1)}: there is no column "{key}"{did_you_mean(key, row)}')
        name = row["name"].strip().casefold()
        if name in numbers:
            raise MtprobeError(f'{place}: a second "{row["name"].strip()}"')
        if row[column].strip():
            numbers[name] = float(_value(row[column], column, place))
    if not numbers:
        raise MtprobeError(f"{path}: has no numbers")
    return numbers


def table_rows(path: Path) -> Iterator[tuple[Place, dict[str, str]]]:
    """The rows of a CSV or TSV file with a header, with their places."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.reader(stream, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", strict=True)
            header = [cell.strip() for cell in next(rows, [])]
            if len(set(header)) < len(header):
                raise MtprobeError(f"{Place(path, 1)}: duplicate column in the header")
            yield from records(rows, header, path)
    except csv.Error as error:
        raise MtprobeError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise MtprobeError(f"{path}: not UTF-8 text") from None
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be read: {error.strerror}") from None


def records(rows: Any, header: Sequence[str], path: Path) -> Iterator[tuple[Place, dict[str, str]]]:
    """The remaining rows of a `csv.reader`, with their places."""
    for row in rows:
        place = Place(path, rows.line_num)
        if row and len(row) != len(header):
            raise MtprobeError(f"{place}: {len(row)} fields, but {len(header)} in the header")
        if row:
            yield place, dict(zip(header, row, strict=True))
