"""`mtprobe trend RECORD…`: show every gate over several runs: when gates flipped, and which values are comparable"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from mtprobe.cli.output import print_table, say, warn, writing
from mtprobe.errors import MtprobeError
from mtprobe.records import Run, read_run
from mtprobe.records.history import by_date, is_record, labels, records_in
from mtprobe.records.trend import Trend, trend_of
from mtprobe.report.runs.trend import (
    COLUMNS,
    LEGEND,
    breaks,
    change_lines,
    gate_rows,
    headline,
    latest_changes,
    marks,
    trend_markdown,
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "records",
        nargs="+",
        type=Path,
        metavar="RECORD",
        help="run records, or folders of them (--mt-history); by date, oldest first",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="write an HTML page")
    parser.add_argument("--markdown", action="store_true", help="as Markdown, for a pull request")
    parser.add_argument(
        "--given-order", action="store_true", help="keep the given order instead of sorting by date"
    )
    parser.add_argument("--last", type=int, metavar="N", help="only the last N runs")
    parser.add_argument(
        "--one-model",
        action="store_true",
        help="treat all runs as releases of one model, even if names differ",
    )


def run(args: argparse.Namespace) -> int:
    if args.last is not None and args.last < 1:
        raise MtprobeError("--last: must be at least 1")
    paths = list(dict.fromkeys(_records(args.records)))
    if not paths:
        raise MtprobeError(f"{', '.join(map(str, args.records))}: no run records")
    if not args.given_order:
        paths = by_date(paths)
    paths = paths[-args.last :] if args.last else paths
    trend = _read(paths, one_model=args.one_model)
    if not trend.suites:
        raise MtprobeError(f"{', '.join(map(str, args.records))}: no suites in these records")
    if args.output is not None:
        from mtprobe.report.html.trend import write_trend

        with writing(args.output):
            write_trend(args.output, trend)
    if args.markdown:
        say(*trend_markdown(trend).splitlines())
    else:
        _show(trend)
        if args.output is not None:
            say(f"page: {args.output}")
    return 0


def _records(given: Sequence[Path]) -> Iterator[Path]:
    """Files as they are; of a folder those that are records, with a warning about others."""
    for path in given:
        if not path.is_dir():
            yield path
            continue
        for file in records_in(path):
            if is_record(file):
                yield file
            else:
                warn(f"{file}: not a run record; skipped")


def _read(paths: Sequence[Path], *, one_model: bool) -> Trend:
    """If each model name occurs in only one run, all runs count as releases of one model."""
    names = labels(paths)

    def runs() -> Iterator[tuple[str, Run]]:
        for path, label in zip(paths, names, strict=True):
            yield label, read_run(path, whole=False, compact=True)

    trend = trend_of(runs(), one_model=one_model)
    if one_model:
        return trend
    if not _all_names_differ(trend):
        return replace(trend, notes=(*trend.notes, *_apart(trend)))
    joined = trend_of(runs(), one_model=True)
    models = ", ".join(model for release in trend.releases for model in release.models)
    note = f"every run has one model, each with a different name ({models}): shown as releases of one model"
    return replace(joined, notes=(*joined.notes, note))


def _apart(trend: Trend) -> Iterator[str]:
    """Why some releases are not on one line, if each has one model."""
    models = [release.models for release in trend.releases]
    if len(set(models)) > 1 and all(len(several) == 1 for several in models):
        yield "models are shown by name; --one-model shows every run as a release of one model"


def _all_names_differ(trend: Trend) -> bool:
    models = [release.models for release in trend.releases]
    names = [name for several in models for name in several]
    return len(models) > 1 and all(len(several) == 1 for several in models) and len(set(names)) == len(names)


def _show(trend: Trend) -> None:
    say(headline(trend), latest_changes(trend), "")
    if trend.changes:
        say("what flipped:", *(f"  {line}" for line in change_lines(trend)), "")
    for suite in trend.suites:
        print_table(suite.title, COLUMNS, gate_rows(suite, len(trend.releases)))
    say(LEGEND)
    for line in (*trend.notes, *marks(trend), *(f"not comparable: {text}" for text in breaks(trend))):
        say(line)
