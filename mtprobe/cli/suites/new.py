"""`mtprobe new suite PATH|backend NAME`: start a suite or a backend from a commented example"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.cli.output import say

_SUFFIX = ".mt.yaml"
_OTHER_SUFFIXES = (".mt.yml", ".yaml", ".yml")
_PLUGIN = "mtprobe-"


def arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    suite = kinds.add_parser("suite", help="a suite", description="Write a commented suite to start from.")
    suite.add_argument(
        "path", type=Path, metavar="PATH", help=f"where to write it; {_SUFFIX} is added if missing"
    )
    suite.set_defaults(place=_suite_path, make=_suite)
    backend = kinds.add_parser(
        "backend",
        help="a plugin for a model of your own",
        description="Write a package that adds a kind of model, with tests that pass, to start from.",
    )
    backend.add_argument(
        "path",
        type=Path,
        metavar="NAME",
        help=f"the part before the colon in --mt-model=NAME:…; the folder is {_PLUGIN}NAME, and a path may precede it",
    )
    backend.set_defaults(place=_backend_path, make=_backend)


def run(args: argparse.Namespace) -> int:
    from mtprobe.errors import MtprobeError

    path = args.place(args.path)
    try:
        args.make(path)
    except FileExistsError:
        raise MtprobeError(f"{path}: already exists, and is not overwritten") from None
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None
    return 0


def _suite(path: Path) -> None:
    from mtprobe.suite.starter import name_from, starter

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as stream:
        stream.write(starter(name_from(path.name.removesuffix(_SUFFIX)), str(path)))
    say(f"{path}: a suite to start from. See its samples with: mtprobe expand {path}")


def _suite_path(path: Path) -> Path:
    if path.name.endswith(_SUFFIX):
        return path
    stem = path.name
    for suffix in _OTHER_SUFFIXES:
        stem = stem.removesuffix(suffix)
    return path.with_name(stem + _SUFFIX)


def _backend(folder: Path) -> None:
    from mtprobe.backends.starter import starter

    files = starter(folder.name.removeprefix(_PLUGIN))
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    say(f"{folder}: a backend to start from. Its tests: pip install --editable {folder} && pytest {folder}")


def _backend_path(path: Path) -> Path:
    return path.with_name(_PLUGIN + path.name.removeprefix(_PLUGIN))
