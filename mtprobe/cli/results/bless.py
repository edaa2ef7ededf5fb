"""`mtprobe bless RECORD`: make a run the baseline for regression gates; rejects partial and incomplete records"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.cli.output import counted, say, writing
from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import first_repeat
from mtprobe.records import read_run, write_run
from mtprobe.records.baseline import bless, compacted
from mtprobe.report.trouble import mostly_degenerate

DEFAULT_BASELINE, DEFAULT_COMPACT = Path("baseline.jsonl"), Path("baseline.jsonl.gz")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a run record (--mt-record)")
    parser.add_argument(
        "--compact",
        action="store_true",
        help="keep only the data needed for comparisons, compressed with gzip: about a fifteenth of the size. It cannot be "
        "reported, labelled or judged again (`mtprobe rescore`), so keep the record if you may need to",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help=f"(default: {DEFAULT_BASELINE}, or {DEFAULT_COMPACT} with --compact)",
    )


def run(args: argparse.Namespace) -> int:
    finished = read_run(args.record, whole=False)
    try:
        blessed = bless(finished)
    except MtprobeError as error:
        raise MtprobeError(f"{args.record}: cannot be a baseline: {error}") from None
    output = args.output or (DEFAULT_COMPACT if args.compact else DEFAULT_BASELINE)
    with writing(output):
        write_run(output, compacted(blessed) if args.compact else blessed)
    samples = sum(len(first_repeat(suite.results)) for suite in blessed.suites)
    models = ", ".join(dict.fromkeys(suite.model.name for suite in blessed.suites))
    suites = len(dict.fromkeys(suite.suite for suite in blessed.suites))
    size = f"{output.stat().st_size / 1000:,.0f} kB"
    say(f"{output}: {models}, {counted(suites, 'suite')}, {counted(samples, 'verdict')}, {size}")
    for suite in blessed.suites:
        if degenerate := mostly_degenerate(suite):
            say(f"warning: {suite.suite}, {suite.model.name}: {degenerate}: no later run can be much worse")
    say(f"compare with it: pytest --mt-baseline={output} …")
    return 0
