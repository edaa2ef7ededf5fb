"""`mtprobe watch SUITE`: check, expand and judge a suite whenever its file is saved, and show the changes"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import closing, nullcontext
from pathlib import Path

from mtprobe.authoring.watch.edit import EditedSuite
from mtprobe.authoring.watch.saves import Saves
from mtprobe.cli.arguments import judged_arguments, judged_settings, store_arguments
from mtprobe.cli.edits import edit_lines
from mtprobe.cli.model import store_while_running
from mtprobe.cli.output import say
from mtprobe.errors import MtprobeError
from mtprobe.language.wordnet import find_wordnet
from mtprobe.plan import open_models
from mtprobe.progress import notices_to
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.settings import Settings
from mtprobe.suite.find import suite_meant


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a suite's file")
    judged_arguments(
        parser, "the model to judge, as pytest's --mt-model; without it, nothing is judged", required=False
    )
    parser.add_argument("--take", type=int, metavar="N", help="judge N samples, as --mt-take of pytest")
    parser.add_argument(
        "--interval",
        type=float,
        default=0.5,
        metavar="SECONDS",
        help="how often to check the file, in seconds (default: 0.5)",
    )
    store_arguments(
        parser,
        "where translations and scores are stored",
        "store translations and scores only while watching",
    )


def run(args: argparse.Namespace) -> int:
    if not 0 < args.interval <= 3600:
        raise MtprobeError(f"--interval: {args.interval:g} is not a number of seconds between 0 and 3600")
    if args.evaluator and not args.model:
        raise MtprobeError("--evaluator: needs a --model whose translations it judges")
    if not args.suite.is_file():
        hint = suite_meant(args.suite) or f"; `mtprobe new suite {args.suite}` starts one"
        raise MtprobeError(f"{args.suite}: there is no such file{hint}")
    try:
        with store_while_running(args) as store:
            _watch(args, judged_settings(args, take=args.take, store=store))
    except KeyboardInterrupt:  # the way to end it
        say("")
    return 0


def _watch(args: argparse.Namespace, settings: Settings) -> None:
    models = open_models(settings) if settings.models else None
    progress = progress_of_a_verb()
    with closing(models.executor) if models else nullcontext(), notices_to(progress.note):
        suite = EditedSuite(args.suite, settings, models, find_wordnet(None))
        say(
            f"{models.headline() if models else 'mtprobe: no --model is named, so nothing is judged'}; Ctrl-C ends"
        )
        saves = Saves()
        while True:
            if saves.are_new(suite.files):
                say(f"{time.strftime('%H:%M:%S')} {args.suite}", *edit_lines(suite.look(progress)))
                sys.stdout.flush()  # a log or a pipe gets it now
            saves.wait(suite.files, args.interval)
