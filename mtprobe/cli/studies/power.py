"""`mtprobe power SUITES… --model SPEC`: corrupt a model's translations at known rates, and show which errors a suite's gates catch"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from mtprobe.authoring.power.measure import PowerOptions, suite_power
from mtprobe.authoring.power.mutators import MUTATORS
from mtprobe.authoring.power.outcome import SuitePower
from mtprobe.backends.model import Model
from mtprobe.cli.arguments import judged_arguments, judged_settings, store_arguments
from mtprobe.cli.model import open_store
from mtprobe.cli.output import print_table, say, say_json, warn, writing
from mtprobe.errors import MissingData, MtprobeError, did_you_mean
from mtprobe.plan import Models, Planner, SuitePlan, open_models
from mtprobe.records.tables import write_csv
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.report.runs.power import COLUMNS, LEGEND, gate_rows, summary_lines, table_rows
from mtprobe.suite.find import suite_files

_EXAMPLES = """\
examples:
  mtprobe power suites/gender --model demo
  mtprobe power suites/robustness --model demo -o power.html --csv power.csv
  mtprobe power my.mt.yaml --model hf:models/mine --evaluator hf:models/judge --rate 0.05

Each mutant is judged once, in the same way as a translation, and its scores are stored. Runs at many error rates are then
simulated, and every gate is decided in each. If a gate does not pass on the model's own translations, the simulation starts
from repaired translations. Mutators:

"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    width = max(map(len, MUTATORS))
    listed = "\n".join(
        f"  {name:<{width}}  {mutator.about}{' (must not matter)' if mutator.null else ''}"
        for name, mutator in MUTATORS.items()
    )
    parser.epilog = _EXAMPLES + listed.replace("%", "%%")
    parser.add_argument("suites", nargs="+", type=Path, metavar="SUITE", help="suites, or folders of them")
    judged_arguments(parser, "the model whose translations are corrupted")
    parser.add_argument("--take", type=int, metavar="N", help="use N samples, as --mt-take of pytest")
    parser.add_argument(
        "--mutators", metavar="NAMES", help="only these, separated by commas (default: all that apply)"
    )
    parser.add_argument(
        "--runs", type=int, default=200, metavar="N", help="simulated runs per rate (default: 200)"
    )
    parser.add_argument(
        "--rate",
        type=float,
        default=0.1,
        metavar="Q",
        help="show how many samples it takes to catch errors at this rate (default: 0.1)",
    )
    parser.add_argument(
        "--scattered",
        action="store_true",
        help="errors occur in samples independently; by default, all samples of a cluster go wrong together",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed for mutants and runs (default: 0)")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="write an HTML page")
    parser.add_argument("--csv", type=Path, metavar="PATH", help="write a table: a row per gate and mutator")
    parser.add_argument("--json", action="store_true", help="everything as one JSON array")
    store_arguments(
        parser, "where translations and scores are stored", "do not store or reuse translations and scores"
    )


def run(args: argparse.Namespace) -> int:
    options = _options(args)
    settings = judged_settings(args, take=args.take)
    models = open_models(settings)
    progress = progress_of_a_verb()
    found: list[SuitePower] = []
    with closing(models.executor), open_store(args.store) as store:
        planner = Planner(settings, models, has_baseline=False)
        for plan, model in _plans(planner, models, args.suites):
            for power in suite_power(plan, model, options, store, progress):
                found.append(power)
                if not args.json:
                    _show(power)
    if not found:
        raise MtprobeError("no gate of these suites can be simulated")
    _write(args, found)
    return 0


def _options(args: argparse.Namespace) -> PowerOptions:
    if args.runs < 1:
        raise MtprobeError("--runs: must be at least 1")
    if not 0 < args.rate <= 1:
        raise MtprobeError(f"--rate: {args.rate:g} is not between 0 and 1")
    names = [name.strip() for name in (args.mutators or "").split(",") if name.strip()]
    for name in names:
        if name not in MUTATORS:
            hint = did_you_mean(name, MUTATORS) or f"; there is {', '.join(MUTATORS)}"
            raise MtprobeError(f'--mutators: there is no "{name}"{hint}')
    return PowerOptions(args.runs, args.rate, args.seed, args.scattered, tuple(dict.fromkeys(names)))


def _plans(planner: Planner, models: Models, paths: Sequence[Path]) -> Iterator[tuple[SuitePlan, Model]]:
    """The suites that can run; for the others, the reasons."""
    for path in suite_files(paths):
        try:
            suite = planner.load(path)
        except MissingData as error:
            warn(str(error))
            continue
        for model in models.tested:
            plan = planner.plan_suite(suite, model)
            reason = plan.mistake or plan.obstacle or plan.skip
            if reason is not None or not plan.runs:
                warn(f"{path}: skipped: {reason}")
            else:
                yield plan, model


def _show(power: SuitePower) -> None:
    print_table(power.title, COLUMNS, gate_rows(power))
    say(*(f"  {line}" for line in summary_lines(power)), "")
    sys.stdout.flush()


def _write(args: argparse.Namespace, found: Sequence[SuitePower]) -> None:
    if args.csv is not None:
        with writing(args.csv), args.csv.open("w", encoding="utf-8", newline="") as stream:
            write_csv(stream, [row for power in found for row in table_rows(power)])
    if args.output is not None:
        from mtprobe.report.html.power import write_power

        with writing(args.output):
            write_power(args.output, found, args.rate)
    if args.json:
        say_json([asdict(power) for power in found], indent=2)
    else:
        say(LEGEND.format(rate=args.rate))
        if args.output is not None:
            say(f"page: {args.output}")
