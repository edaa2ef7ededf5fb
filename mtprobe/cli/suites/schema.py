"""`mtprobe schema`: write the suite format as JSON Schema for editors, or as a Markdown reference"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mtprobe.cli.output import writing
from mtprobe.suites import formats_reference, reference, schema_text


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="where to write it (default: standard output)"
    )
    parser.add_argument(
        "--markdown",
        nargs="?",
        const="suite",
        choices=["suite", "formats"],
        help="write the reference instead: of the suite format, or of the formats of public test sets",
    )


def run(args: argparse.Namespace) -> int:
    text = {"suite": reference, "formats": formats_reference, None: schema_text}[args.markdown]()
    if args.output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return 0
    with writing(args.output):
        args.output.write_text(text, encoding="utf-8")
    return 0
