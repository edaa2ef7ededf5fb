"""Shared by verbs: opening a model or an evaluator, and reading lines from standard input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import islice

from mtprobe.backends.device import DTYPES
from mtprobe.backends.model import Model
from mtprobe.backends.scorer import can_score
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.plan import open_models
from mtprobe.settings import read_settings

CHUNK = 256  # lines read before the model is called


def model_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="the model, as in pytest's --mt-model")
    parser.add_argument(
        "--source", metavar="TAG", help="the source language, if the model does not define it"
    )
    parser.add_argument(
        "--target", metavar="TAG", help="the target language, if the model does not define it"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument(
        "--dtype", default="fp32", choices=DTYPES, help="number format of the computation (default: fp32)"
    )


def open_model(args: argparse.Namespace) -> Model:
    settings = read_settings(
        models=args.spec, source=args.source, target=args.target, device=args.device, dtype=args.dtype
    )
    return open_models(settings).tested[0]


def open_evaluator(args: argparse.Namespace) -> Model:
    """The model that `--evaluator` names; one that cannot score is an error."""
    settings = read_settings(
        evaluator=args.evaluator, source=args.source, target=args.target, device=args.device
    )
    evaluator = open_models(settings).evaluator
    if evaluator is None or not can_score(evaluator.backend):
        name = settings.evaluator.name if settings.evaluator else args.evaluator
        raise ModelError(f"{name} cannot score, so it cannot be an evaluator")
    return evaluator


def lines() -> Iterator[str]:
    """Standard input, line by line."""
    try:
        for line in sys.stdin:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise MtprobeError("standard input is not UTF-8 text") from None


def chunks_of_lines() -> Iterator[list[str]]:
    """Standard input, `CHUNK` lines at a time."""
    remaining = lines()
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk
