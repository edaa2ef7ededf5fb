"""Loads suites with all installed methods, metrics and data formats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from mtprobe.datasets.registry import FORMATS
from mtprobe.errors import MtprobeError
from mtprobe.methods import METHODS
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.load import read_suite
from mtprobe.suite.sample import Suite
from mtprobe.suite.vocabulary import MetricText, Vocabulary


@cache
def vocabulary() -> Vocabulary:
    """The installed methods and formats."""
    return Vocabulary(dict(_method_keys()), FORMATS)


def _method_keys() -> Iterator[tuple[str, type[MethodKeys] | None]]:
    for name in METHODS:
        try:
            yield name, METHODS[name].keys
        except MtprobeError:  # reported where a suite names it
            yield name, None


def load_suite(
    path: str | PathLike[str],
    data_root: str | PathLike[str] | None = None,
    *,
    uncounted: bool = False,
    uncued: bool = False,
) -> Suite:
    """Reads a suite with all of its samples. Raises `MissingData` if its data is absent and it may be skipped.

    With `uncounted`, the `frequencies` file need not exist yet, and samples get no category from it.
    With `uncued`, the cue file need not exist yet, and samples get no cues from it.
    """
    root = Path(data_root) if data_root is not None else None
    return read_suite(Path(path), root, vocabulary=vocabulary(), uncounted=uncounted, uncued=uncued)


def suite_schema() -> dict[str, Any]:
    """The JSON Schema of suites."""
    from mtprobe.suite.format.schema import suite_schema as schema

    return schema(vocabulary(), _metrics())


def schema_text() -> str:
    """The schema as it is written to a file."""
    return json.dumps(suite_schema(), indent=2, ensure_ascii=False) + "\n"


def reference() -> str:
    """The reference of the suite format, as Markdown."""
    from mtprobe.suite.format.reference import reference as page

    return page(vocabulary(), _metrics())


def formats_reference() -> str:
    """The formats of public test sets, as Markdown."""
    from mtprobe.suite.format.reference import published_formats

    return published_formats(vocabulary())


def _metrics() -> Mapping[str, MetricText]:
    from mtprobe.metrics import METRICS

    return METRICS
