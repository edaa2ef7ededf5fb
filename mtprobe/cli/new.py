"""`mtprobe new KIND PATH`: a commented file to start from."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Start something new from a commented example: `mtprobe new suite PATH`."

_SUFFIX = ".mt.yaml"
_OTHER_SUFFIXES = (".mt.yml", ".yaml", ".yml")


def arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    suite = kinds.add_parser("suite", help="a suite", description="Write a commented suite to start from.")
    suite.add_argument(
        "path", type=Path, metavar="PATH", help=f"where it goes; {_SUFFIX} is added where it is missing"
    )


def run(args: argparse.Namespace) -> int:
    from mtprobe.errors import MtprobeError
    from mtprobe.suite.starter import name_from, starter

    path = _suite_path(args.path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(starter(name_from(path.name.removesuffix(_SUFFIX)), str(path)))
    except FileExistsError:
        raise MtprobeError(f"{path}: exists already, and is not overwritten") from None
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None
    print(f"{path}: a suite to start from. See what it makes with: mtprobe expand {path}")
    return 0


def _suite_path(path: Path) -> Path:
    if path.name.endswith(_SUFFIX):
        return path
    stem = path.name
    for suffix in _OTHER_SUFFIXES:
        stem = stem.removesuffix(suffix)
    return path.with_name(stem + _SUFFIX)
