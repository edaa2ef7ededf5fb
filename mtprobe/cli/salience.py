"""`mtprobe salience SPEC SUITE`: which source words a model looks at when it chooses between a suite's targets."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtprobe.cli.model import model_arguments, open_model

if TYPE_CHECKING:
    from mtprobe.metrics.measure import Measure
    from mtprobe.models import Model
    from mtprobe.salience.page import SaliencePage
    from mtprobe.suite import Suite

HELP = "Show which source words a model looks at when it chooses the word in which a suite's targets differ."


def arguments(parser: argparse.ArgumentParser) -> None:
    model_arguments(parser)
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a suite of minimal pairs")
    parser.add_argument("--take", type=int, metavar="N", help="take N samples, as --mt-take of pytest")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="write a page with every sentence")
    parser.add_argument("--json", action="store_true", help="for machines: everything as one JSON document")
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as --mt-data-root of pytest")


def run(args: argparse.Namespace) -> int:
    from mtprobe.errors import MtprobeError
    from mtprobe.report.salience import show_salience, write_salience
    from mtprobe.suite import load_suite

    if args.take is not None and args.take < 1:
        raise MtprobeError("--take: a number of samples is at least 1")
    page = _page(open_model(args), load_suite(args.suite, args.data_root), args.take)
    if args.output is not None:
        try:
            write_salience(args.output, page)
        except OSError as error:
            raise MtprobeError(f"{args.output}: cannot be written: {error.strerror}") from None
    if args.json:
        print(json.dumps(_record(page), ensure_ascii=False, indent=2, allow_nan=False))
    else:
        show_salience(page, sys.stdout)
        if args.output is not None:
            print(f"page: {args.output}")
    sys.stdout.flush()
    return 1 if page.failed else 0


def _page(model: Model, suite: Suite, take: int | None) -> SaliencePage:
    from mtprobe.report.progress import progress_of_a_verb
    from mtprobe.salience.page import salience_page

    return salience_page(model, suite, take, progress_of_a_verb())


def _record(page: SaliencePage) -> dict[str, Any]:
    found = page.importance
    return {
        "suite": page.suite,
        "digest": page.digest,
        "source": page.source,
        "target": page.target,
        "model": asdict(page.model),
        "importance": found and {**asdict(found), "d": _number(found.d), "effect": found.effect},
        "sentences": [
            {
                "id": one.question.id,
                "source": one.question.source,
                "target": one.question.target,
                "word": one.question.target[slice(*one.question.word)],
                "probability": one.probability,
                "words": [asdict(word) for word in one.words],
            }
            for one in page.sentences
        ],
        "failed": _failures(page.failed),
    }


def _number(measure: Measure) -> dict[str, Any]:
    """Bounds that nobody knows are null: JSON has no infinity."""
    bounds = {
        side: bound if math.isfinite(bound := getattr(measure, side)) else None for side in ("low", "high")
    }
    return {**asdict(measure), **bounds}


def _failures(failed: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"id": id, "reason": reason} for id, reason in failed]
