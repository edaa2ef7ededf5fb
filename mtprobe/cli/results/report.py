"""`mtprobe report RECORD… -o report.html`: write the HTML report of run records, their samples as CSV, or their mean; needs no model"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from mtprobe.cli.output import print_table, say, say_raw, warn, writing
from mtprobe.cli.results.means import means_lines, means_markdown, means_rows, means_title
from mtprobe.errors import MtprobeError
from mtprobe.records import merged, read_run
from mtprobe.records.tables import write_csv
from mtprobe.report.html.report import write_html
from mtprobe.report.markdown import run_markdown
from mtprobe.studies.means import Means, means

_STDOUT = Path("-")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "records", nargs="+", type=Path, metavar="RECORD", help="run records; several make one report"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="the HTML report")
    parser.add_argument(
        "--csv", type=Path, metavar="PATH", help="one row per sample, as CSV; - for standard output"
    )
    parser.add_argument(
        "--raw",
        action="store_true",
        help="with --csv: write texts unchanged, even if a spreadsheet would run them as formulas",
    )
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="PATH",
        help="write the summary as Markdown; with --mean, write its tables",
    )
    parser.add_argument(
        "--mean",
        action="store_true",
        help="print mean ± standard deviation over the runs, for example over seeds",
    )
    parser.add_argument(
        "--over",
        choices=("models", "languages", "all"),
        default="models",
        help="with --mean: over models, for each language pair (default); over languages, for each model; or over all",
    )
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="KEY",
        help="with --mean: a metric, written as in gates, such as accuracy[rare]; may be repeated (default: accuracies and the metrics of gates)",
    )


def run(args: argparse.Namespace) -> int:
    if not (args.output or args.csv or args.markdown or args.mean):
        raise MtprobeError(
            "nothing to write: give -o report.html, --csv samples.csv, --markdown summary.md or --mean"
        )
    if args.csv == _STDOUT and args.mean:
        raise MtprobeError("--csv - and --mean both write to standard output: give --csv a file")
    runs = {path: read_run(path, whole=False) for path in args.records}
    for path, record in runs.items():
        for text in record.missing:
            warn(f"{path}: {text}")
    combined = merged(runs)
    if not combined.suites:
        raise MtprobeError(f"{', '.join(map(str, args.records))}: no suites to report")
    tables = means(combined.suites, args.over, args.metric) if args.mean else []
    for table in tables:
        _show(table)
    markdown = means_markdown(tables) if args.mean else run_markdown(combined)
    writers: list[tuple[Path | None, Callable[[Path], object]]] = [
        (args.output, lambda path: write_html(combined, path)),
        (args.csv if args.csv != _STDOUT else None, lambda path: combined.to_csv(path, raw=args.raw)),
        (args.markdown, lambda path: path.write_text(markdown, encoding="utf-8")),
    ]
    for path, write in writers:
        if path is not None:
            with writing(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                write(path)
            (say if args.csv != _STDOUT else warn)(path)
    if args.csv == _STDOUT:
        stream = StringIO()
        write_csv(stream, combined.to_rows(), raw=args.raw, line_end="\n")
        say_raw(stream.getvalue().removesuffix("\n"))
    return 0


def _show(table: Means) -> None:
    print_table(means_title(table), ["", "mean ± deviation", *table.over], means_rows(table))
    for line in means_lines(table):
        say(f"  {line}")
    say()
