"""`mtprobe report RECORD… -o report.html`: write the HTML report of run records, or their samples as CSV; no model is needed"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from mtprobe.cli.output import say, warn, writing
from mtprobe.errors import MtprobeError
from mtprobe.records import merged, read_run
from mtprobe.report.html.report import write_html
from mtprobe.report.markdown import run_markdown


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "records", nargs="+", type=Path, metavar="RECORD", help="run records; several make one report"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="the HTML report")
    parser.add_argument("--csv", type=Path, metavar="PATH", help="one row per sample, as CSV")
    parser.add_argument(
        "--raw",
        action="store_true",
        help="with --csv: texts as they are, even if a spreadsheet would compute them",
    )
    parser.add_argument("--markdown", type=Path, metavar="PATH", help="the summary as Markdown")


def run(args: argparse.Namespace) -> int:
    if not (args.output or args.csv or args.markdown):
        raise MtprobeError(
            "nothing to write: give -o report.html, --csv samples.csv or --markdown summary.md"
        )
    runs = {path: read_run(path, whole=False) for path in args.records}
    for path, record in runs.items():
        for text in record.missing:
            warn(f"{path}: {text}")
    combined = merged(runs)
    if not combined.suites:
        raise MtprobeError(f"{', '.join(map(str, args.records))}: no suites to report")
    writers: list[tuple[Path | None, Callable[[Path], object]]] = [
        (args.output, lambda path: write_html(combined, path)),
        (args.csv, lambda path: combined.to_csv(path, raw=args.raw)),
        (args.markdown, lambda path: path.write_text(run_markdown(combined), encoding="utf-8")),
    ]
    for path, write in writers:
        if path is not None:
            with writing(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                write(path)
            say(path)
    return 0
