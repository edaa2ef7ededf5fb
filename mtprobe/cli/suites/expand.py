"""`mtprobe expand SUITE`: show every sample of a suite, with its contrastive sources"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from mtprobe.authoring.expansion import lines_of
from mtprobe.authoring.sample_keys import keys_of
from mtprobe.cli.arguments import data_root_argument
from mtprobe.cli.output import say, say_json, warn
from mtprobe.errors import MtprobeError
from mtprobe.suite import Sample, Suite
from mtprobe.suite.find import suite_meant
from mtprobe.suite.samples.focus import contrastive_sources
from mtprobe.suites import load_suite
from mtprobe.system.named import is_there


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a suite's file")
    parser.add_argument(
        "--jsonl", action="store_true", help="write the samples as JSON Lines, readable by `data:`"
    )
    parser.add_argument("--grep", metavar="TEXT", help="only samples that contain this text, ignoring case")
    parser.add_argument("--take", type=int, metavar="N", help="take N samples, as --mt-take of pytest")
    data_root_argument(parser)


def run(args: argparse.Namespace) -> int:
    if args.take is not None and args.take < 1:
        raise MtprobeError("--take: must be at least 1")
    if not is_there(args.suite):
        raise MtprobeError(f"{args.suite}: there is no such file{suite_meant(args.suite)}")
    suite = load_suite(args.suite, args.data_root)
    if args.take is not None:
        suite = suite.take(args.take)
    shown = 0
    pattern = (args.grep or "").casefold()
    for sample in suite.samples:
        lines = list(lines_of(sample, suite))
        if pattern in "\n".join(lines).casefold():
            shown += 1
            if args.jsonl:
                say_json(_record(sample, suite))
            else:
                say(*lines, "")
    sys.stdout.flush()  # here, where a closed pipe is expected
    if not args.jsonl:
        of = f" of {len(suite.samples)}" if shown < len(suite.samples) else ""
        warn(f"{shown}{of} sample{'' if shown == 1 else 's'}")
    return 0


def _record(sample: Sample, suite: Suite) -> dict[str, Any]:
    """For machines, with the keys of `samples`: the lines are a data file that a suite may name."""
    return keys_of(sample, sources=contrastive_sources(sample, suite.source))
