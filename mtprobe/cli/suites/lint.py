"""`mtprobe lint SUITES…`: find errors and likely mistakes in suites; exit code 1 if there are errors"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from mtprobe import SUITE_SUFFIXES
from mtprobe.authoring.check import check_suite
from mtprobe.authoring.power.lint import power_warnings
from mtprobe.cli.arguments import data_root_argument
from mtprobe.cli.output import as_options, counted, even_if_closed, say
from mtprobe.errors import Place, Problem
from mtprobe.language.wordnet import find_wordnet
from mtprobe.suite.find import suite_files

_YAML = (".yaml", ".yml")
_INIS = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="SUITE", help="suites, or folders of them")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument(
        "--wordnet",
        type=Path,
        metavar="DIR",
        help="the folder of the WordNet database, as for `mtprobe cues`, to look up cues",
    )
    parser.add_argument(
        "--power", action="store_true", help="also warn about gates that cannot fail for any model"
    )
    data_root_argument(parser)


def run(args: argparse.Namespace) -> int:
    def show(problems: Iterable[Problem], label: str) -> int:
        lines = [f"{problem.place}: {label}{as_options(problem.message)}" for problem in problems]
        if lines:
            with even_if_closed():
                say(*lines)
        return len(lines)

    wordnet = find_wordnet(args.wordnet)
    suites = errors = doubts = 0
    for path in suite_files(args.paths):
        suites += 1
        check = check_suite(path, args.data_root, wordnet)
        show(check.missing, "not checked: ")
        errors += show(check.errors, "")
        weak = power_warnings(check.suite) if args.power and check.suite and not check.errors else ()
        doubts += show((*_misnamed(path), *check.warnings, *weak), "warning: ")
    with even_if_closed():
        say(", ".join([counted(suites, "suite"), counted(errors, "error"), counted(doubts, "warning")]))
    return 1 if errors or (doubts and args.strict) else 0


def _misnamed(path: Path) -> Iterator[Problem]:
    """`words.yaml`, or `words.mt.yaml.txt` where an editor added a suffix: pytest does not see the suite in its folder."""
    name = path.name
    if name.endswith(SUITE_SUFFIXES) or (path.suffix in _YAML and _is_named_in_ini(path)):
        return
    suffix = next((end for end in SUITE_SUFFIXES if end in name), "")
    right = name.partition(suffix)[0] + suffix if suffix else path.stem + SUITE_SUFFIXES[0]
    yield Problem(Place(path, 1), f"pytest does not collect a file of this name; rename it to {right}")


def _is_named_in_ini(path: Path) -> bool:
    """Whether pytest may be configured to collect files of other names: the ini key `mt_suites`."""
    for ini in (folder / name for folder in path.absolute().parents for name in _INIS):
        with suppress(OSError):  # it does not exist, or is not ours to read
            if b"mt_suites" in ini.read_bytes():
                return True
    return False
