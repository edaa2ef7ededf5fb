"""`mtprobe salience SPEC SUITE`: show which source words a model looks at when it chooses between a suite's targets"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mtprobe.backends.model import Model
from mtprobe.cli.model import model_arguments, open_model
from mtprobe.cli.output import say, say_json, writing
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.methods.salience.outcome import Importance, SuiteSalience
from mtprobe.methods.salience.suite import no_salience, suite_salience
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.report.salience import SalienceFacts, show_salience, write_salience
from mtprobe.suite import Suite
from mtprobe.suites import load_suite


def arguments(parser: argparse.ArgumentParser) -> None:
    model_arguments(parser)
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a suite of minimal pairs")
    parser.add_argument("--take", type=int, metavar="N", help="use N samples, as pytest's --mt-take")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="write a page with every sentence")
    parser.add_argument("--json", action="store_true", help="everything as one JSON document")
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as pytest's --mt-data-root")


def run(args: argparse.Namespace) -> int:
    if args.take is not None and args.take < 1:
        raise MtprobeError("--take: must be at least 1")
    model, suite = open_model(args), load_suite(args.suite, args.data_root)
    salience = _measured(model, suite, args.take)
    facts = SalienceFacts(suite.name, suite.digest, suite.source, model.languages.target, model.facts())
    if args.output is not None:
        with writing(args.output):
            write_salience(args.output, facts, salience)
    if args.json:
        record = {**asdict(facts), **_record(salience)}
        say_json(record, indent=2, allow_nan=False)
    else:
        show_salience(facts, salience, sys.stdout)
        if args.output is not None:
            say(f"page: {args.output}")
    sys.stdout.flush()
    return 1 if salience.failed else 0


def _measured(model: Model, suite: Suite, take: int | None) -> SuiteSalience:
    """An error if the model or the suite does not allow it."""
    if reason := no_salience(model):
        raise ModelError(reason)
    languages = model.languages
    if not suite.fits(languages.source, languages.target):
        raise MtprobeError(
            f"{suite.path}: the suite is for {suite.languages}, but {model.name} translates {languages}"
        )
    salience = suite_salience(model, suite, take, progress_of_a_verb())
    if not salience.sentences and not salience.failed:
        raise MtprobeError(
            f"{suite.path}: no sample has `targets` in {languages.target} whose correct one has a word that the other lacks"
        )
    return salience


def _record(salience: SuiteSalience) -> dict[str, Any]:
    return {
        "importance": _importance(salience.importance),
        "importance_for_choice": _importance(salience.of_choice),
        "importance_as_published": _importance(salience.as_published),
        "sentences": [
            {
                "id": sentence.question.id,
                "source": sentence.question.source,
                "target": sentence.question.target,
                "word": sentence.question.target[slice(*sentence.question.word)],
                "probability": sentence.probability,
                "share": sentence.share,
                "words": [asdict(word) for word in sentence.words],
            }
            for sentence in salience.sentences
        ],
        "failed": [{"id": id, "reason": reason} for id, reason in salience.failed],
        "left_out": salience.left_out,
    }


def _importance(importance: Importance | None) -> dict[str, Any] | None:
    return {**asdict(importance), "effect": importance.effect} if importance else None
