"""`mtprobe lint SUITES…`: everything wrong with suites, and what is probably wrong."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

HELP = "Find mistakes in suites, and what is probably one. Exit code 1 when there are errors."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="SUITE", help="suites, or folders of them")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as --mt-data-root of pytest")


def run(args: argparse.Namespace) -> int:
    from mtprobe.errors import Problem, SuiteError
    from mtprobe.suite import load_suite
    from mtprobe.suite.find import suite_files
    from mtprobe.suite.lint import errors, warnings

    def show(problems: Iterable[Problem], label: str) -> int:
        lines = [f"{problem.place}: {label}{problem.message}" for problem in problems]
        print(*lines, sep="\n", end="\n" * bool(lines))
        return len(lines)

    suites = failed = doubted = 0
    for path in suite_files(args.paths):
        suites += 1
        try:
            suite = load_suite(path, args.data_root)
        except SuiteError as error:
            failed += show(error.problems, "")
            continue
        failed += show(errors(suite), "")
        doubted += show(warnings(suite), "warning: ")
    print(", ".join([_counted(suites, "suite"), _counted(failed, "error"), _counted(doubted, "warning")]))
    return 1 if failed or (doubted and args.strict) else 0


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
