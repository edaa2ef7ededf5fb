"""`mtprobe import FORMAT FILES… -o DIR`: turn a public test set into a suite that can be edited"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mtprobe.datasets.reading import Item
    from mtprobe.errors import Problem
    from mtprobe.suite.format.entry import Data
    from mtprobe.suite.format.suite import SampleModel


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("format", metavar="FORMAT", help="as `format` of `data`: winomt, mucow, …")
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE|KEY=VALUE",
        help="the set's file, or a folder where the format is one; keys of the format's `data` entry as KEY=VALUE",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="where the suite goes"
    )
    parser.add_argument("--name", metavar="NAME", help="the suite's name, and that of its files")
    parser.add_argument("--source", metavar="TAG", help="the source language, where it is not the usual one")
    parser.add_argument("--keep-going", action="store_true", help="leave malformed lines out, and count them")


def run(args: argparse.Namespace) -> int:
    from dataclasses import replace
    from importlib import import_module

    from mtprobe.datasets import FORMATS
    from mtprobe.datasets.write import write_suite
    from mtprobe.errors import MtprobeError, SuiteError
    from mtprobe.suite import load_suite

    entries = _entries(args.format, args.files)
    preset = import_module(FORMATS[args.format]).preset(entries[0])
    preset = replace(preset, name=args.name or preset.name, source=args.source or preset.source)
    found = _Found()
    for entry in entries:
        found.add(_read(entry, preset.source))
    if found.problems and not args.keep_going:
        raise SuiteError(found.problems[:_SHOWN])
    if not found.samples:
        raise MtprobeError("there is not one sample in the files, so no suite was written")
    preset = replace(
        preset,
        categories=preset.categories or _categories(found.samples),
        gates=_answerable(preset.gates, found.samples),
    )
    suite, data = write_suite(args.output, preset, found.samples)
    print(*found.lines(), sep="\n")
    loaded = load_suite(suite)
    print(f"{suite}: a suite of {len(loaded.samples):,} samples, which stand in {data}")
    return 0


def _categories(samples: Sequence[SampleModel]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sample.category for sample in samples if sample.category))


def _answerable(gates: Mapping[str, str], samples: Sequence[SampleModel]) -> dict[str, str]:
    """Without the gates on attributes that these samples do not have: not every published file has all columns."""
    values: dict[str, set[Any]] = {}
    for sample in samples:
        for name, value in sample.attributes.items():
            values.setdefault(name, set()).add(value)
    asked = {gate: gate.removeprefix("gap[").removesuffix("]") for gate in gates if gate.startswith("gap[")}
    return {
        gate: bound
        for gate, bound in gates.items()
        if gate not in asked or len(values.get(asked[gate], ())) > 1
    }


_SHOWN = 20  # problems


class _Found:
    """What was read, what was left out and why, and what is wrong."""

    def __init__(self) -> None:
        self.samples: list[SampleModel] = []
        self.left_out: Counter[str] = Counter()
        self.problems: list[Problem] = []

    def add(self, items: Iterator[Item]) -> None:
        from mtprobe.datasets.reading import LeftOut
        from mtprobe.errors import SuiteError

        for _, item in items:
            if isinstance(item, SuiteError):
                self.problems += item.problems
            elif isinstance(item, LeftOut):
                self.left_out[item.reason] += 1
            else:
                self.samples.append(item)

    def lines(self) -> Iterator[str]:
        categories = Counter(sample.category for sample in self.samples if sample.category)
        shares = ", ".join(f"{category} {count:,}" for category, count in categories.items())
        yield f"{len(self.samples):,} samples" + (f" ({shares})" if shares else "")
        copies = sum("copy" in sample.attributes for sample in self.samples)
        if copies:
            yield f"{copies:,} of them stand in the files more than once; their attribute `copy` says so"
        for reason, count in self.left_out.items():
            yield f"{count:,} left out: {reason}"
        if self.problems:
            yield f"{len(self.problems):,} malformed, and left out:"
            yield from (f"  {problem}" for problem in self.problems[:_SHOWN])
            if len(self.problems) > _SHOWN:
                yield f"  … and {len(self.problems) - _SHOWN:,} more"


class _NamedFiles:
    """Files as they are named on the command line."""

    def find(self, name: str, place: Any, missing: str = "error") -> Path:  # noqa: ARG002
        from mtprobe.errors import MtprobeError

        for path in (Path(name), Path(f"{name}.gz")):
            if path.is_file():
                return path
        raise MtprobeError(f"there is no file {name}")


def _read(entry: Data, source: str) -> Iterator[Item]:
    from mtprobe.datasets import read_data
    from mtprobe.datasets.reading import Reading
    from mtprobe.errors import Place

    def place(key: str) -> Place:
        return Place(Path(f"{entry.format}: {key}"))

    return read_data(entry, Reading(_NamedFiles(), place, source, None))


def _entries(format: str, given: Sequence[str]) -> list[Data]:
    """One `data:` entry for each file; KEY=VALUE goes for all of them."""
    from mtprobe.errors import MtprobeError, did_you_mean
    from mtprobe.suite.format.data import MODELS
    from mtprobe.suite.parsing.problems import field_names

    formats = [name for name in MODELS if name not in ("jsonl", "senses", "pairs", "schemas")]  # our own
    if format not in formats:
        raise MtprobeError(f'unknown format "{format}"{did_you_mean(format, formats)}')
    model = MODELS[format]
    known = [name for name in field_names(model) if name not in ("format", "missing")]
    main = next((name for name in ("file", "folder") if name in known), None)  # needs no KEY=
    values: dict[str, str] = {}
    files: list[str] = []
    for text in given:
        key, equals, value = text.partition("=")
        if equals and key in known:
            values[key] = value
        elif equals and not Path(text).exists():
            raise MtprobeError(f'{format}: unknown key "{key}"{did_you_mean(key, known)}')
        else:
            files.append(text)
    if files and main is None:
        raise MtprobeError(f"{format}: say what {files[0]} is, as KEY=FILE; keys: {', '.join(known)}")
    named: list[dict[str, str]] = [{main: file} for file in files if main] or [{}]
    return [_entry(model, {"format": format, **values, **one}) for one in named]


def _entry(model: type[Data], values: dict[str, Any]) -> Data:
    from pydantic import ValidationError

    from mtprobe.errors import MtprobeError, Place
    from mtprobe.suite.parsing.problems import located_problems

    try:
        return model.model_validate(values)
    except ValidationError as error:
        place = Place(Path(f"mtprobe import {values['format']}"))
        problems = located_problems(error, values, model, lambda _: place)
        raise MtprobeError("\n".join(map(str, problems))) from None
