"""`mtprobe rescore RECORD --evaluator SPEC`: judge the translations of a run by another evaluator, and compare the verdicts; nothing is translated"""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path

from mtprobe.cli.model import open_evaluator
from mtprobe.cli.results.compare import compared, show
from mtprobe.errors import MtprobeError
from mtprobe.records import Run, read_run, write_run
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.rescoring import Options, rescore
from mtprobe.settings import DEFAULT_STORE
from mtprobe.store import Store, keep_out_of_git


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a run record (--mt-record)")
    parser.add_argument(
        "--evaluator", "--mt-evaluator", required=True, metavar="SPEC", help="as pytest's --mt-evaluator"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="the new record (default: RECORD with .rescored.jsonl)",
    )
    parser.add_argument("--changed", action="store_true", help="also judge suites that have changed since")
    parser.add_argument("--source", metavar="TAG", help="the evaluator's source language, if it does not say")
    parser.add_argument("--target", metavar="TAG", help="the evaluator's target language, if it does not say")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as pytest's --mt-data-root")
    parser.add_argument(
        "--store", type=Path, default=DEFAULT_STORE, metavar="PATH", help=f"where scores are stored (default: {DEFAULT_STORE})"
    )  # fmt: skip
    parser.add_argument("--no-store", action="store_true", help="neither store nor reuse scores")


def run(args: argparse.Namespace) -> int:
    earlier = read_run(args.record)
    args.source, args.target = (
        args.source or _only(earlier, "source"),
        args.target or _only(earlier, "target"),
    )
    evaluator = open_evaluator(args)
    if not args.no_store:
        keep_out_of_git(args.store.parent)
    with nullcontext() if args.no_store else Store(args.store) as store:
        later = rescore(
            earlier, evaluator, Options(args.data_root, args.changed), store, progress_of_a_verb()
        )
    output = args.output or args.record.with_suffix(".rescored.jsonl")
    try:
        write_run(output, later)
    except OSError as error:
        raise MtprobeError(f"{output}: cannot be written: {error.strerror}") from None
    show(compared(earlier, later, (args.record, output)))
    print(f"record: {output}")
    return 0


def _only(run: Run, side: str) -> str | None:
    """The language of all suites, if they share one."""
    languages = {getattr(suite, side) for suite in run.suites}
    return next(iter(languages)) if len(languages) == 1 else None
