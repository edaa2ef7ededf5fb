"""`mtprobe blame RECORD --model SPEC --good RECORD…`: score a model's wrong translations against good ones from other models: is the error due to the model or to its search?"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.backends.scorer import can_score
from mtprobe.cli.arguments import language_arguments, store_arguments
from mtprobe.cli.model import open_model, open_store
from mtprobe.cli.output import say
from mtprobe.errors import ModelError
from mtprobe.metrics.model_errors import preference, preference_over_first
from mtprobe.records import read_run
from mtprobe.report.numbers import with_interval
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.studies.blame import Blame, blamed

_EXAMPLE = """\
example:
  pytest --mt-model=mine=hf:models/mine --mt-record=mine.jsonl suites/lexicon
  pytest --mt-model=other=hf:models/other --mt-record=other.jsonl suites/lexicon
  mtprobe blame mine.jsonl --model hf:models/mine --good other.jsonl

Uses the translations that the method lexicon judged incorrect and for which another record has a good translation. If the
model scores its own translation higher (mean token log-probability), the error is a model error; otherwise, its search
missed a better translation. As in DiBiMT, each wrong translation is compared with one good translation, from the first
record that has one. The share for a comparison with every good translation is shown as well; --against every also uses it
to list search errors.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("record", type=Path, metavar="RECORD", help="the model's run record (--mt-record)")
    parser.add_argument(
        "--model",
        "--mt-model",
        required=True,
        metavar="SPEC",
        dest="spec",
        help="the same model, as for --mt-model",
    )
    parser.add_argument(
        "--good", type=Path, nargs="+", required=True, metavar="RECORD", help="run records of other models"
    )
    language_arguments(parser, "the {} language, if the model does not say")
    parser.add_argument("--dtype", default="fp32", help="as pytest's --mt-dtype")
    parser.add_argument(
        "--against",
        choices=("one", "every"),
        default="one",
        help="compare a wrong translation with one good translation, from the first record that has one, as in DiBiMT "
        "(default), or with every one",
    )
    parser.add_argument("--show", type=int, default=5, metavar="N", help="show N search errors (default: 5)")
    store_arguments(parser)


def run(args: argparse.Namespace) -> int:
    record, others = read_run(args.record), [read_run(path) for path in args.good]
    targets = {suite.target for suite in record.suites}
    args.target = args.target or (targets.pop() if len(targets) == 1 else None)
    model = open_model(args)
    backend = model.backend
    if not can_score(backend):
        raise ModelError(f"{model.name} {model.cannot_score}, so its preference is unknown")
    with open_store(args.store) as store:
        every = args.against == "every"
        for blame in blamed(record, others, model, backend, store, progress_of_a_verb(), every=every):
            _show(blame, args.show, every=every)
    return 0


def _show(blame: Blame, most: int, *, every: bool) -> None:
    suite, errors = blame.suite, blame.errors if every else blame.errors_one
    say(f"{suite.suite} · {suite.model.name} {suite.source}→{suite.target}: {blame.wrong} wrong translations")
    if errors.value is None:
        say("  no other record has a good translation for any of them")
        return
    for against, measured in (
        ("one good one, as in DiBiMT", blame.errors_one),
        ("every good one", blame.errors),
    ):
        say(
            f"  model errors: {with_interval(measured)}: the model scores its own translation above {against}"
        )
    say(
        f"  search errors: {errors.n - round(errors.value * errors.n)}: a good translation has a higher score"
    )
    for result in blame.results[:most]:
        lead = (preference if every else preference_over_first)(result)
        if lead is None or lead > 0:
            break
        own, *good = result.verdict.evidence
        best = max(good, key=lambda evidence: evidence.score or 0.0) if every else good[0]
        say(f"    {result.path}:{result.line} {result.id}")
        for evidence in (own, best):
            say(f"      {evidence.side:<11}  {evidence.score:+.3f}  {evidence.text}")
