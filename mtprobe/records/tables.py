"""The rows of a run for other tools: CSV and data frames."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TextIO

from mtprobe.errors import MtprobeError
from mtprobe.system.spreadsheets import spreadsheet_cell

LIBRARIES = ("pandas", "polars")

Rows = Sequence[Mapping[str, Any]]


def columns_of(rows: Rows) -> list[str]:
    """All keys, in the order in which they first appear; attributes, which differ from suite to suite, last."""
    names = dict.fromkeys(name for row in rows for name in row)
    return sorted(names, key=lambda name: name.startswith("attribute."))


def write_csv(stream: TextIO, rows: Rows, *, raw: bool = False, line_end: str = "\r\n") -> None:
    """A text that a spreadsheet would compute gets an apostrophe in front, unless it shall be `raw`."""
    columns = columns_of(rows)
    cell: Callable[[Any], Any] = (lambda value: value) if raw else spreadsheet_cell
    writer = csv.writer(stream, lineterminator=line_end)
    writer.writerow([cell(name) for name in columns])
    writer.writerows([cell(row.get(name, "")) for name in columns] for row in rows)


def data_frame(rows: Rows, library: str | None = None) -> Any:
    """A pandas or polars data frame; by default of the first that is installed."""
    if library is not None and library not in LIBRARIES:
        raise MtprobeError(f'no data frames of "{library}"; available: {", ".join(LIBRARIES)}')
    wanted = [library] if library else LIBRARIES
    name = next((name for name in wanted if find_spec(name)), None)
    if name is None:
        names = " or ".join(wanted)
        raise MtprobeError(f"a data frame needs {names}, not installed here: pip install {wanted[0]}")
    columns = {name: _of_one_type([row.get(name) for row in rows]) for name in columns_of(rows)}
    return import_module(name).DataFrame(columns)


def _of_one_type(values: list[Any]) -> list[Any]:
    """Values unchanged if a column can hold them; attributes may be text in one sample and a number in another."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return [None if value is None else float(value) for value in values]
    return values if len(kinds) <= 1 else [None if value is None else str(value) for value in values]
