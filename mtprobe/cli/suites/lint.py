"""`mtprobe lint SUITES…`: find mistakes and likely mistakes in suites; exit code 1 if there are errors"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from mtprobe.cli.output import say
from mtprobe.errors import MissingData, Problem, SuiteError
from mtprobe.gates import gates_for
from mtprobe.language.wordnet import find_wordnet
from mtprobe.methods import check_evidence
from mtprobe.suite import Suite
from mtprobe.suite.find import suite_files
from mtprobe.suite.lint import warnings
from mtprobe.suites import load_suite


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="SUITE", help="suites, or folders of them")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument(
        "--wordnet", type=Path, metavar="DIR", help="as for `mtprobe cues`: cues are looked up in it"
    )
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as --mt-data-root of pytest")


def run(args: argparse.Namespace) -> int:
    def show(problems: Iterable[Problem], label: str) -> int:
        lines = [f"{problem.place}: {label}{problem.message}" for problem in problems]
        if lines:
            say(*lines)
        return len(lines)

    wordnet = find_wordnet(args.wordnet)
    suites = errors = doubts = 0
    for path in suite_files(args.paths):
        suites += 1
        try:
            suite = load_suite(path, args.data_root)
        except MissingData as error:
            show(error.problems, "not checked: ")
            continue
        except SuiteError as error:
            errors += show(error.problems, "")
            continue
        errors += show(_errors(suite), "")
        doubts += show(warnings(suite, wordnet), "warning: ")
    say(", ".join([_counted(suites, "suite"), _counted(errors, "error"), _counted(doubts, "warning")]))
    return 1 if errors or (doubts and args.strict) else 0


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _errors(suite: Suite) -> Iterator[Problem]:
    """What would stop a run of the suite, beyond what loading it has checked."""
    for check in (lambda: check_evidence(suite), lambda: gates_for(suite, None)):
        try:
            check()
        except SuiteError as error:
            yield from error.problems
