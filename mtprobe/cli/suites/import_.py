"""`mtprobe import FORMAT FILES… -o DIR`: convert a public test set to an editable suite"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mtprobe.cli.output import say
from mtprobe.datasets import FORMATS
from mtprobe.datasets.format import Format
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.write import write_suite
from mtprobe.errors import MtprobeError, Place, Problem, SuiteError, did_you_mean
from mtprobe.gates.parse import parse_key
from mtprobe.metrics.gap import GAP
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.parsing.problems import field_names, located_problems
from mtprobe.suites import load_suite


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("format", metavar="FORMAT", help="the format, as in `data`: winomt, mucow, …")
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE|KEY=VALUE",
        help="the file of the test set (for some formats, its folder); keys of the format's `data` entry as KEY=VALUE",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="where to write the suite"
    )
    parser.add_argument("--name", metavar="NAME", help="the name of the suite and of its files")
    parser.add_argument(
        "--source", metavar="TAG", help="the source language, if it differs from the format's default"
    )
    parser.add_argument("--keep-going", action="store_true", help="skip and count malformed lines")


def run(args: argparse.Namespace) -> int:
    format, preset_of = _format(args.format)
    entries = _entries(format, args.files)
    preset = preset_of(entries[0])
    preset = replace(preset, name=args.name or preset.name, source=args.source or preset.source)
    imported = _Imported()
    for entry in entries:
        count = imported.add(_read(format, entry, preset.source))
        if not count and len(entries) > 1:
            raise MtprobeError(f"{entry.name}: is empty, so no suite was written")
    if imported.problems and not args.keep_going:
        raise MtprobeError("\n".join(imported.refusal()))
    if not imported.samples:
        raise MtprobeError("the files have no samples, so no suite was written")
    if format.adapted is not None:
        preset = format.adapted(preset, imported.samples)
    preset = replace(
        preset,
        categories=preset.categories
        or tuple(dict.fromkeys(sample.category for sample in imported.samples if sample.category)),
        gates=_answerable(preset.gates, imported.samples),
    )
    suite, data = write_suite(args.output, preset, imported.samples)
    say(*imported.lines())
    loaded = load_suite(suite)
    say(f"{suite}: a suite of {len(loaded.samples):,} samples; the samples are in {data}")
    return 0


def _answerable(gates: Mapping[str, str], samples: Sequence[SampleModel]) -> dict[str, str]:
    """Without the gates on attributes that these samples do not have: not every published file has all columns."""
    values: dict[str, set[Any]] = {}
    for sample in samples:
        for name, value in sample.attributes.items():
            values.setdefault(name, set()).add(value)
    keys = {gate: parse_key(gate) for gate in gates}
    compared = {
        gate: selector.over for gate, (metric, selector) in keys.items() if metric is GAP and selector.over
    }
    return {
        gate: bound
        for gate, bound in gates.items()
        if gate not in compared or len(values.get(compared[gate], ())) > 1
    }


_SHOWN = 20  # problems


class _Imported:
    """The samples that were read, those that were skipped with the reason, and all problems."""

    def __init__(self) -> None:
        self.samples: list[SampleModel] = []
        self.skipped: Counter[str] = Counter()
        self.problems: list[Problem] = []

    def add(self, items: Iterator[Item]) -> int:
        """How many items there are, whether or not they are samples."""
        count = 0
        for _, item in items:
            count += 1
            if isinstance(item, SuiteError):
                self.problems += item.problems
            elif isinstance(item, Skipped):
                self.skipped[item.reason] += 1
            else:
                self.samples.append(item)
        return count

    def refusal(self) -> Iterator[str]:
        """The problem, and what to do about it."""
        yield from map(str, self.problems[:_SHOWN])
        if len(self.problems) > _SHOWN:
            yield f"… and {len(self.problems) - _SHOWN:,} more"
        what = "1 malformed item" if len(self.problems) == 1 else f"{len(self.problems):,} malformed items"
        yield f"{what}, so no suite was written; --keep-going skips and lists malformed items"

    def lines(self) -> Iterator[str]:
        categories = Counter(sample.category for sample in self.samples if sample.category)
        shares = ", ".join(f"{category} {count:,}" for category, count in categories.items())
        yield f"{len(self.samples):,} samples" + (f" ({shares})" if shares else "")
        copies = sum("copy" in sample.attributes for sample in self.samples)
        if copies:
            yield f"{copies:,} repeated, with the attribute `copy`"
        unopposed = sum("unopposed" in sample.attributes for sample in self.samples)
        if unopposed:
            yield f"{unopposed:,} without a wrong variant, which count as right, with the attribute `unopposed`"
        for reason, count in self.skipped.items():
            yield f"{count:,} skipped: {reason}"
        if self.problems:
            yield f"{len(self.problems):,} malformed, and skipped:"
            yield from (f"  {problem}" for problem in self.problems[:_SHOWN])
            if len(self.problems) > _SHOWN:
                yield f"  … and {len(self.problems) - _SHOWN:,} more"


class _NamedFiles:
    """Files as they are named on the command line."""

    def find(self, name: str, place: Any, missing: str = "error") -> Path:  # noqa: ARG002
        for path in (Path(name), Path(f"{name}.gz")):
            if path.is_file():
                return path
        raise MtprobeError(f"there is no file {name}")


def _read(format: Format, entry: Data, source: str) -> Iterator[Item]:
    def place(key: str) -> Place:
        return Place(Path(f"{format.name}: {key}"))

    return format.read(entry, Reading(_NamedFiles(), place, source, None, naming_target="`target=de`"))


def _format(name: str) -> tuple[Format, Callable[[Any], Preset]]:
    """The format with its preset; those without one are not imported."""
    format = FORMATS.get(name)
    if format is None or format.preset is None:
        importable = [name for name, format in FORMATS.items() if format.preset is not None]
        raise MtprobeError(f'unknown format "{name}"{did_you_mean(name, importable)}')
    return format, format.preset


def _entries(format: Format, given: Sequence[str]) -> list[Data]:
    """One `data:` entry for each file; KEY=VALUE applies to all of them."""
    keys = [key for key in field_names(format.entry) if key not in ("format", "missing")]
    main = next((key for key in ("file", "folder") if key in keys), None)  # needs no KEY=
    values: dict[str, str] = {}
    files: list[str] = []
    for text in given:
        key, equals, value = text.partition("=")
        if equals and key in keys:
            values[key] = value
        elif equals and not Path(text).exists():
            raise MtprobeError(f'{format.name}: unknown key "{key}"{did_you_mean(key, keys)}')
        else:
            files.append(text)
    if files and main is None:
        raise MtprobeError(f"{format.name}: say what {files[0]} is, as KEY=FILE; keys: {', '.join(keys)}")
    named: list[dict[str, str]] = [{main: file} for file in files if main] or [{}]
    return [_entry(format.entry, {"format": format.name, **values, **file}) for file in named]


def _entry(model: type[Data], values: dict[str, Any]) -> Data:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        place = Place(Path(f"mtprobe import {values['format']}"))
        problems = located_problems(error, values, model, lambda _: place)
        raise MtprobeError("\n".join(map(str, problems))) from None
