"""`mtprobe hunt SUITE --model SPEC`: find the smallest sentences of a suite's templates that a model gets wrong"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from mtprobe.authoring.hunt.ask import Asker, Limits
from mtprobe.authoring.hunt.search import MOST_CAUSES, Found, Hunt, Search
from mtprobe.authoring.hunt.shrink import check_installed
from mtprobe.authoring.hunt.verify import keep_found
from mtprobe.authoring.hunt.write import check_path, path_for
from mtprobe.cli.arguments import judged_arguments, judged_settings, store_arguments
from mtprobe.cli.model import store_while_running
from mtprobe.cli.output import counted, even_if_closed, say
from mtprobe.errors import MtprobeError
from mtprobe.plan import Planner, open_models
from mtprobe.progress import Progress, notices_to
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.report.screen.hunt import found_lines, last_lines
from mtprobe.store import Store

_EXAMPLE = """\
example:
  mtprobe hunt suites/gender/occupations.mt.yaml --model demo --budget 300
  pytest --mt-model=demo suites/gender/occupations.hunt.mt.yaml

Tries sentences that the suite's templates can generate, with any slot values, and simplifies those that fail: shorter
templates, no optional [clauses], simpler values. If a sentence fails, the exit code is 1, and the smallest failing sentence
of each cause is written to NAME.hunt.mt.yaml next to the suite. If interrupted, the same command resumes the hunt and
repeats no request.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a suite's file")
    judged_arguments(parser, "the model to test, as pytest's --mt-model")
    parser.add_argument("--method", metavar="NAME", help="judge by this method (default: the suite's first)")
    parser.add_argument("--category", metavar="NAME", help="only try sentences of this category")
    parser.add_argument(
        "--budget", type=int, default=300, metavar="N", help="try at most N sentences (default: 300)"
    )
    parser.add_argument(
        "--max-cost", metavar="DOLLARS", help="stop before a service costs more than this many US dollars"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed for choosing sentences (default: 0)")
    parser.add_argument(
        "--causes",
        type=int,
        default=MOST_CAUSES,
        metavar="N",
        help=f"stop after N different causes (default: {MOST_CAUSES})",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="the file for the suite of failures (default: NAME.hunt.mt.yaml next to the suite)",
    )
    store_arguments(
        parser,
        "where translations and scores are stored",
        "store translations and scores only during the hunt",
    )


def run(args: argparse.Namespace) -> int:
    for option in ("budget", "causes"):
        if getattr(args, option) < 1:
            raise MtprobeError(f"--{option}: must be at least 1")
    if not args.suite.is_file():
        raise MtprobeError(f"{args.suite}: there is no such file")
    check_installed()
    output = args.output or path_for(args.suite)
    check_path(output)
    progress = progress_of_a_verb()
    with store_while_running(args) as store, notices_to(progress.note):
        settings = judged_settings(args, method=args.method, budget=args.max_cost, store=store)
        if len(settings.targets) > 1:
            raise MtprobeError("--target: a hunt is for one target language")
        models = open_models(settings)
        with closing(models.executor), Store(store) as opened:
            planner = Planner(settings, models, has_baseline=False)
            plan = planner.plan_suite(planner.load(args.suite), models.tested[0])
            asker = Asker(plan, opened, progress, Limits(args.budget, settings.budget))
            hunt = _hunt(asker, args, progress)
            written = keep_found(output, hunt, asker, planner, opened)
    with even_if_closed():
        _show(hunt, written, output, args.model)
    return 1 if hunt.found else 0


def _hunt(asker: Asker, args: argparse.Namespace, progress: Progress) -> Hunt:
    search = Search(asker, args.seed, args.causes, args.category)
    progress.start("hunting", args.budget)
    try:
        return search.run(asker.fit())
    finally:
        progress.done()


def _show(hunt: Hunt, written: Sequence[Found], output: Path, model: str) -> None:
    for number, found in enumerate(hunt.found, start=1):
        first, *rest = found_lines(found)
        say(f"{number}. {first}", *(f"   {line}" for line in rest))
        if found not in written:
            say("   not in the file: judged by itself, it is right")
        say()
    say(*last_lines(hunt, model))
    if written:
        say(f"{output}: {counted(len(written), 'sentence')} that must become right")
    elif output.exists():
        say(f"{output}: left as an earlier hunt wrote it")
