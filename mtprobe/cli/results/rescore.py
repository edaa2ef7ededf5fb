"""`mtprobe rescore RECORD [--evaluator SPEC]`: judge the translations of a run again, with another evaluator or newer methods, and compare the verdicts; nothing is translated"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.cli.arguments import data_root_argument, language_arguments, store_arguments
from mtprobe.cli.model import open_evaluators, open_store
from mtprobe.cli.output import say, writing
from mtprobe.cli.results.compare import compared, show
from mtprobe.records import read_run, write_run
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.rescoring import Options, rescore


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a run record (--mt-record)")
    parser.add_argument(
        "--evaluator",
        "--mt-evaluator",
        action="append",
        metavar="[TAG=]SPEC",
        help="as pytest's --mt-evaluator; methods without scores need none",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="the new record (default: RECORD with .rescored.jsonl)",
    )
    parser.add_argument(
        "--changed", action="store_true", help="also judge suites that have changed since the run"
    )
    language_arguments(parser, "the evaluator's {} language, if it does not say")
    data_root_argument(parser)
    store_arguments(parser)


def run(args: argparse.Namespace) -> int:
    earlier = read_run(args.record)
    sources = dict.fromkeys(suite.source for suite in earlier.suites)
    args.source = args.source or (next(iter(sources)) if len(sources) == 1 else None)
    args.target = args.target or list(dict.fromkeys(suite.target for suite in earlier.suites))
    evaluators = open_evaluators(args) if args.evaluator else {}
    with open_store(args.store) as store:
        later = rescore(
            earlier, evaluators, Options(args.data_root, args.changed), store, progress_of_a_verb()
        )
    output = args.output or args.record.with_suffix(".rescored.jsonl")
    with writing(output):
        write_run(output, later)
    show(compared(earlier, later, (args.record, output), any_procedure=True))
    say(f"record: {output}")
    return 0
