"""`mtprobe bless RECORD`: make a run the baseline for regression gates; a record that is partial or not whole is refused"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.cli.output import counted, say, writing
from mtprobe.errors import MtprobeError
from mtprobe.records import read_run, write_run
from mtprobe.records.baseline import bless

DEFAULT_BASELINE = Path("baseline.jsonl")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a run record (--mt-record)")
    parser.add_argument(
        "-o", "--output", type=Path, default=DEFAULT_BASELINE, metavar="PATH", help=f"(default: {DEFAULT_BASELINE})"
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    finished = read_run(args.record, whole=False)
    try:
        blessed = bless(finished)
    except MtprobeError as error:
        raise MtprobeError(f"{args.record}: cannot be a baseline: {error}") from None
    with writing(args.output):
        write_run(args.output, blessed)
    samples = sum(len(suite.results) for suite in blessed.suites)
    models = ", ".join(dict.fromkeys(suite.model.name for suite in blessed.suites))
    suites = len(dict.fromkeys(suite.suite for suite in blessed.suites))
    say(f"{args.output}: {models}, {counted(suites, 'suite')}, {counted(samples, 'verdict')}")
    say(f"compare with it: pytest --mt-baseline={args.output} …")
    return 0
