"""`mtprobe label RECORD`: draw samples of a run for human labelling, as a sheet and as an HTML page; a few labels correct the results of all verdicts"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from mtprobe.cli.output import counted, say, warn, writing
from mtprobe.errors import MtprobeError
from mtprobe.methods import method_named
from mtprobe.records import SuiteRun, read_run
from mtprobe.report.html.label_page import write_label_page
from mtprobe.studies.label_draw import Drawn, draw, missing, with_known
from mtprobe.suite.labels import read_label_file, write_label_file

_EXAMPLES = """\
examples:
  mtprobe label .mtprobe/last-run.jsonl -n 100            # a sheet for each suite
  mtprobe label .mtprobe/last-run.jsonl --missing         # after the model has changed

A sheet is a TSV file to fill in. The HTML page next to it shows one sample at a time, takes labels by keyboard and exports
the same file. Neither shows the verdicts. Samples are drawn at random from each category and verdict, with equal numbers
per category; the column `probability` has the probability of each sample. Then name the file in the suite:

  labels: {fr: labels/fr.tsv}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument("record", type=Path, metavar="RECORD", help="a run record (--mt-record)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "-n",
        type=_count,
        default=100,
        help="samples to draw per suite (default: 100), at least one from each category and verdict",
    )
    what.add_argument(
        "--missing",
        action="store_true",
        help="only samples that were drawn before and whose current translation has no label",
    )
    parser.add_argument("--suite", metavar="NAME", help="only this suite of the record")
    parser.add_argument("--model", metavar="NAME", help="only this model")
    parser.add_argument(
        "--method", metavar="NAME", help="the method whose verdicts are corrected (default: the first)"
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a label file whose labels are copied into the sheet; may be repeated",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="the sheet (default: SUITE.TARGET.tsv), with the page next to it",
    )
    parser.add_argument("--force", action="store_true", help="replace a sheet that exists")


def run(args: argparse.Namespace) -> int:
    suites = _selected(args)
    if args.output is not None and len(suites) > 1:
        raise MtprobeError(f"-o: the record has {len(suites)} suites; give --suite, --model or --method")
    known = [line for path in args.keep for line in read_label_file(path, _choices(suites))]
    if args.missing and not any(result.drawn for suite in suites for result in suite.results):
        raise MtprobeError(
            "the record has no sample that was drawn before: name the label file in the suite, and run it again"
        )
    for suite in suites:
        if suite.stopped is not None and not args.missing:
            raise MtprobeError(
                f"{suite.suite} was run sequentially, on {suite.stopped.share}: run it in full"
            )
        if suite.partial and not args.missing:
            raise MtprobeError(
                f"{suite.suite} was run on only some of its samples: run it without --mt-take (`take`)"
            )
        drawn = with_known(missing(suite) if args.missing else draw(suite, args.n), known)
        if not drawn:
            reason = "no label is missing" if args.missing else "nothing to draw"
            say(f"{_title(suite)}: {reason}")
            continue
        sheet = args.output or Path(f"{_file_name(suite)}.tsv")
        _write(suite, drawn, sheet, again=args.missing, force=args.force)
    return 0


def _write(suite: SuiteRun, drawn: Sequence[Drawn], sheet: Path, *, again: bool, force: bool) -> None:
    page = sheet.with_suffix(".html")
    for path in (sheet, page):
        if path.exists() and not force:
            raise MtprobeError(
                f"{path} exists: it may have labels; give another -o, or --force to replace it"
            )
    with writing(sheet):
        write_label_file(sheet, [one.line for one in drawn])
        write_label_page(page, suite, drawn)
    open_samples = sum(not one.label for one in drawn)
    say(
        f"{_title(suite)}: {counted(len(drawn), 'sample')}, {open_samples:,} without a label",
        f"  {sheet}",
        f"  {page}",
    )
    say(f"  {_advice(suite, sheet, again=again)}")


def _advice(suite: SuiteRun, sheet: Path, *, again: bool) -> str:
    """The next steps with the labels."""
    if again:
        both = f"labels: {{{suite.target}: [FILE, {sheet.name}]}}"
        return f"then append its lines to the suite's label file, or name both: {both}"
    named = f"labels: {{{suite.target}: {sheet.name}}}"
    if any(result.drawn for result in suite.results):
        return (
            f"a new draw: it takes the place of the suite's label file ({named}); --keep FILE copies labels"
        )
    return f"then, in {suite.path}: {named}"


def _selected(args: argparse.Namespace) -> list[SuiteRun]:
    """One method of each suite and model, and one model of each suite: the draw depends on the verdicts."""
    record = read_run(args.record, whole=False)
    for text in record.missing:
        warn(f"{args.record}: {text}")
    fitting = [
        suite
        for suite in record.suites
        if args.suite in (None, suite.suite)
        and args.model in (None, suite.model.name)
        and args.method in (None, suite.method)
        and (method := method_named(suite.method)) is not None
        and method.judges == "translations"
    ]
    if not fitting:
        raise MtprobeError(
            f"{args.record}: no suite of that name, model and method has translations that were judged"
        )
    first: dict[tuple[str, str, str], SuiteRun] = {}
    for suite in fitting:
        first.setdefault((suite.path, suite.target, suite.model.name), suite)
    models: dict[tuple[str, str], str] = {}
    for path, target, model in first:
        if models.setdefault((path, target), model) != model:
            raise MtprobeError(
                f"{path}: judged for {models[path, target]} and {model}; choose one with --model. Label it, name the labels in the "
                "suite, and run again: --missing then draws the same samples of the other"
            )
    return list(first.values())


def _choices(suites: Sequence[SuiteRun]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(choice for suite in suites for result in suite.results for choice in result.choices)
    )


def _title(suite: SuiteRun) -> str:
    return f"{suite.suite} · {suite.model.name} {suite.source}→{suite.target} · {suite.method}"


def _file_name(suite: SuiteRun) -> str:
    return re.sub(r"[^\w.-]+", "-", f"{suite.suite}.{suite.target}")


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of samples')
    return int(text)
