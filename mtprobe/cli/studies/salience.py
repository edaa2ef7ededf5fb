"""`mtprobe salience SPEC SUITE`: show which source words influence a model when it chooses between a suite's targets"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mtprobe.backends.model import Model
from mtprobe.cli.arguments import data_root_argument, model_arguments
from mtprobe.cli.model import open_model
from mtprobe.cli.output import even_if_closed, say, say_json, warn, writing
from mtprobe.errors import MissingData, ModelError, MtprobeError
from mtprobe.methods.salience.outcome import Importance, SuiteSalience
from mtprobe.methods.salience.suite import no_salience, suite_salience
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.report.salience import SalienceFacts, conclusion, show_salience, write_salience
from mtprobe.suite import Suite
from mtprobe.suite.find import suite_files
from mtprobe.suites import load_suite


def arguments(parser: argparse.ArgumentParser) -> None:
    model_arguments(parser)
    parser.add_argument(
        "suite", type=Path, metavar="SUITE", help="a suite of minimal pairs, or a folder of them"
    )
    parser.add_argument("--take", type=int, metavar="N", help="use N samples, as pytest's --mt-take")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="write a page with every sentence")
    parser.add_argument("--json", action="store_true", help="everything as one JSON document")
    data_root_argument(parser)


def run(args: argparse.Namespace) -> int:
    if args.take is not None and args.take < 1:
        raise MtprobeError("--take: must be at least 1")
    model = open_model(args)
    if reason := no_salience(model):
        raise ModelError(reason)
    suites = list(_suites(model, args))
    if not suites:
        raise MtprobeError(f"{args.suite}: no suite of minimal pairs for {model.languages} in this folder")
    if args.output is not None:
        with writing(args.output):
            write_salience(args.output, suites)
    with even_if_closed():
        _print(args, suites)
    return 1 if any(salience.failed for _, salience in suites) else 0


def _print(args: argparse.Namespace, suites: Sequence[tuple[SalienceFacts, SuiteSalience]]) -> None:
    if args.json:
        records = [{**asdict(facts), **_record(salience)} for facts, salience in suites]
        say_json(records if args.suite.is_dir() else records[0], indent=2, allow_nan=False)
    else:
        for number, (facts, salience) in enumerate(suites):
            say(*[""] * bool(number))
            show_salience(facts, salience, sys.stdout)
        if args.output is not None:
            say(f"page: {args.output}")


class _Unsuitable(MtprobeError):
    """A suite in which there is nothing to measure."""


def _suites(model: Model, args: argparse.Namespace) -> Iterator[tuple[SalienceFacts, SuiteSalience]]:
    """The suite, or those of a folder that have minimal pairs in the model's languages."""
    for path in suite_files([args.suite]):
        try:
            suite = load_suite(path, args.data_root)
            salience = _measured(model, suite, args.take)
        except (_Unsuitable, MissingData) as error:
            if not args.suite.is_dir():
                raise
            warn(f"skipped: {error}")
            continue
        languages = model.languages
        yield SalienceFacts(suite.name, suite.digest, suite.source, languages.target, model.facts()), salience


def _measured(model: Model, suite: Suite, take: int | None) -> SuiteSalience:
    """An error if the suite does not allow it."""
    languages = model.languages
    if not suite.fits(languages.source, languages.target):
        raise _Unsuitable(
            f"{suite.path}: the suite is for {suite.languages}, but {model.name} translates {languages}"
        )
    salience = suite_salience(model, suite, take, progress_of_a_verb())
    if not salience.sentences and not salience.failed:
        raise _Unsuitable(
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
    if importance is None:
        return None
    return {**asdict(importance), "effect": importance.effect, "conclusion": conclusion(importance)}
