"""`mtprobe new suite PATH|backend NAME`: start a suite or a backend from a commented example"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from mtprobe.cli.output import say

_SUFFIX = ".mt.yaml"
_OTHER_SUFFIXES = (".mt.yml", ".yaml", ".yml")
_PLUGIN = "mtprobe-"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "mtprobe new [-h] suite PATH [--ask] | backend NAME"
    kinds = parser.add_subparsers(prog="mtprobe new", dest="kind", metavar="KIND", required=True)
    suite = kinds.add_parser("suite", help="a suite", description="Write a commented suite to start from.")
    suite.add_argument(
        "path", type=Path, metavar="PATH", help=f"where to write it; {_SUFFIX} is added if missing"
    )
    suite.add_argument(
        "--ask",
        action="store_true",
        help="ask a few questions (languages, purpose, words) and write the suite from the answers; "
        "standard input may give them, one per line",
    )
    suite.set_defaults(place=_suite_path, make=_suite)
    backend = kinds.add_parser(
        "backend",
        help="a plugin for your own model",
        description="Write a package that adds a kind of model, with tests that pass, to start from.",
    )
    backend.add_argument(
        "path",
        type=Path,
        metavar="NAME",
        help=f"the part before the colon in --mt-model=NAME:…, optionally after a path; creates the folder {_PLUGIN}NAME",
    )
    backend.set_defaults(place=_backend_path, make=_backend)


def run(args: argparse.Namespace) -> int:
    from mtprobe.errors import MtprobeError

    path = args.place(args.path)
    try:
        args.make(path, args)
    except FileExistsError:
        raise MtprobeError(f"{path}: already exists, and is not overwritten") from None
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None
    return 0


def _suite(path: Path, args: argparse.Namespace) -> None:
    from mtprobe.suite.starter import name_from, starter

    name = name_from(path.name.removesuffix(_SUFFIX))
    text = _asked(name, path) if args.ask else starter(name, str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as stream:
        stream.write(text)
    say(f"{path}: a suite to start from. See its samples with: mtprobe expand {path}")


def _asked(name: str, path: Path) -> str:
    """The suite from answers. Nothing is written while questions are asked."""
    from mtprobe.authoring.ask.interview import Interview
    from mtprobe.authoring.ask.suite import ask_for_suite
    from mtprobe.authoring.check import check_suite
    from mtprobe.errors import Problem, SuiteError

    if path.exists():
        raise FileExistsError
    text = ask_for_suite(Interview(_answer, say), name, str(path))
    with TemporaryDirectory(prefix="mtprobe-") as folder:
        draft = Path(folder, path.name)
        draft.write_text(text, encoding="utf-8")
        check = check_suite(draft)
    if check.errors:
        raise SuiteError(
            [Problem(replace(problem.place, path=path), problem.message) for problem in check.errors]
        )
    for problem in check.warnings:
        say(f"{replace(problem.place, path=path)}: warning: {problem.message}")
    return text


def _answer(question: str) -> str:
    """A line of standard input; from a pipe it is shown, so that a log has the answers too."""
    from mtprobe.errors import MtprobeError

    try:
        answer = input(question)
    except UnicodeDecodeError:
        raise MtprobeError("standard input is not UTF-8 text") from None
    except (EOFError, KeyboardInterrupt):
        say()
        raise
    if not sys.stdin.isatty():
        say(answer)
    return answer


def _suite_path(path: Path) -> Path:
    if path.name.endswith(_SUFFIX):
        return path
    stem = path.name
    for suffix in _OTHER_SUFFIXES:
        stem = stem.removesuffix(suffix)
    return path.with_name(stem + _SUFFIX)


def _backend(folder: Path, _args: argparse.Namespace) -> None:
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
