"""`mtprobe compare EARLIER LATER`: compare two runs of the same suites: paired differences with confidence intervals and p-values, and the samples that flipped"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.cli.output import even_if_closed, print_table, say, say_json, warn, writing
from mtprobe.errors import MtprobeError
from mtprobe.records import Run, read_run
from mtprobe.records.comparison import Comparison, compare_runs
from mtprobe.records.flips import FlipKind, SuiteFlips, flips_of
from mtprobe.records.verdict import verdict, why_not_green
from mtprobe.report.runs.comparison import (
    COLUMNS,
    FLIPS_SHOWN,
    cells,
    comparison_markdown,
    comparison_record,
    flip_lines,
    forest_lines,
    notes_of,
    write_comparison,
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("earlier", type=Path, metavar="EARLIER", help="a run record (--mt-record)")
    parser.add_argument("later", type=Path, metavar="LATER", help="a later run record")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--markdown", action="store_true", help="as Markdown, for a pull request")
    shape.add_argument("--json", action="store_true", help="everything as one JSON object")
    parser.add_argument(
        "--all", action="store_true", help=f"show all samples that flipped, not only the first {FLIPS_SHOWN}"
    )
    parser.add_argument("--html", type=Path, metavar="PATH", help="also write an HTML page")
    parser.add_argument(
        "--fail-if-worse",
        action="store_true",
        help="exit code 1 if LATER is certainly worse in any row, or if too few samples can be compared",
    )


def run(args: argparse.Namespace) -> int:
    paths = (args.earlier, args.later)
    runs = (read_run(args.earlier, compact=True), read_run(args.later, compact=True))
    comparison = compare_runs(*runs, *_names(*runs, paths)) if args.fail_if_worse else compared(*runs, paths)
    if args.html is not None:
        with writing(args.html):
            write_comparison(args.html, comparison)
    with even_if_closed():
        if args.json:
            say_json(comparison_record(comparison), indent=2)
        elif args.markdown:
            say(*comparison_markdown(comparison).splitlines())
        else:
            show(comparison, most=None if args.all else FLIPS_SHOWN)
            if args.html is not None:
                say(f"page: {args.html}")
    reasons = why_not_green(comparison) if args.fail_if_worse else []
    for reason in reasons:
        warn(f"--fail-if-worse: {reason}")
    if not args.fail_if_worse:  # which names them, too
        for text in comparison.incomparable:
            warn(text)
    return 1 if reasons or comparison.incomparable else 0


def compared(
    earlier: Run, later: Run, paths: tuple[Path, Path], *, any_procedure: bool = False
) -> Comparison:
    """The comparison; an error if no suite is in both runs."""
    names = _names(earlier, later, paths)
    comparison = compare_runs(earlier, later, *names, any_procedure=any_procedure)
    if not comparison.suites:
        raise MtprobeError("\n".join(["nothing can be compared", *comparison.not_compared]))
    return comparison


def _names(earlier: Run, later: Run, paths: tuple[Path, Path]) -> tuple[str, str]:
    """The models' names if each run has one model and they differ, else the files'."""
    models = [list(dict.fromkeys(suite.model.name for suite in run.suites)) for run in (earlier, later)]
    if all(len(names) == 1 for names in models) and models[0] != models[1]:
        return models[0][0], models[1][0]
    return str(paths[0]), str(paths[1])


def show(comparison: Comparison, most: int | None = FLIPS_SHOWN) -> None:
    """Prints the verdict, a forest plot, one table per suite, and the samples that flipped, or the first of them."""
    say(verdict(comparison), "")
    if forest := list(forest_lines(comparison)):
        say(*forest, "")
    for suite in comparison.suites:
        title = suite.title if suite.one_of_several else f"{suite.title} · {suite.models}"
        if suite.is_empty:
            say(title)
        else:
            print_table(title, COLUMNS, [cells(row) for row in suite.rows])
        for note in notes_of(suite):
            say(f"  {note}")
        say()
    for flips in flips_of(comparison.suites):
        _show_flips(flips, most)
    for text in comparison.not_compared:
        say(f"not compared: {text}")


def _show_flips(flips: SuiteFlips, most: int | None) -> None:
    for kind in FlipKind:
        if not (same := flips.of(kind)):
            continue
        say(f"{flips.title}, {len(same):,} {kind}:")
        for flip in same[:most]:
            say(*(f"  {line}" for line in flip_lines(flip, flips.methods)))
        if len(same[:most]) < len(same):
            say(f"  and {len(same[most:]):,} more (`mtprobe compare --all` shows them)")
        say()
