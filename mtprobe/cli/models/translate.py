"""`mtprobe translate SPEC`: translate lines from standard input, to try out a model"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from mtprobe.backends.model import Model, OpenedModel
from mtprobe.cli.arguments import model_arguments
from mtprobe.cli.lines import chunks_of_lines
from mtprobe.cli.model import open_model
from mtprobe.cli.output import say_raw, warn
from mtprobe.engine.neural import NeuralModel
from mtprobe.errors import Failure, ModelError


def arguments(parser: argparse.ArgumentParser) -> None:
    model_arguments(parser)
    parser.add_argument(
        "--n-best",
        metavar="N",
        type=int,
        help="write the N best translations of each line, one per line: line number, translation and score "
        "(sum of log-probabilities ÷ length ** length penalty), separated by tabs",
    )


def run(args: argparse.Namespace) -> int:
    model = open_model(args)
    failed, line = 0, 0
    for chunk in chunks_of_lines():
        for output in _translate(model, chunk, args.n_best, line):
            line += 1
            if isinstance(output, Failure):
                failed += 1
                warn(f"line {line}: {output.reason}")
                say_raw("")
            else:
                say_raw(output)
        sys.stdout.flush()
    return 1 if failed else 0


def _translate(
    model: Model, sources: Sequence[str], n_best: int | None, before: int
) -> Iterator[str | Failure]:
    """The output for each source; `before` is the number of lines before these."""
    if n_best is None:
        for translation in OpenedModel(model.name, model.backend).translate(sources):
            yield translation if isinstance(translation, Failure) else " ".join(translation.split("\n"))
        return
    if not isinstance(model.backend, NeuralModel):
        raise ModelError(
            f"{model.name} returns one translation only: --n-best is for models that run locally"
        )
    for number, candidates in enumerate(model.backend.n_best(sources, n_best), start=before + 1):
        if isinstance(candidates, Failure):
            yield candidates
        else:
            rows = (
                (number, " ".join(candidate.text.split()), f"{candidate.score:.6f}")
                for candidate in candidates
            )
            yield "\n".join("\t".join(map(str, row)) for row in rows)
