"""`mtprobe score SPEC`: score tab-separated pairs from standard input: sum, mean and token log-probabilities (natural log, EOS included)"""

from __future__ import annotations

import argparse
import math

from mtprobe.backends.scorer import ScorePair, can_score, mean
from mtprobe.backends.stored import score_stream
from mtprobe.cli.arguments import model_arguments
from mtprobe.cli.lines import lines
from mtprobe.cli.model import open_model
from mtprobe.cli.output import say, say_raw, warn
from mtprobe.errors import Failure, ModelError, MtprobeError


def arguments(parser: argparse.ArgumentParser) -> None:
    model_arguments(parser)


def run(args: argparse.Namespace) -> int:
    model = open_model(args)
    if not can_score(model.backend):
        raise ModelError(f"{model.name} {model.cannot_score}")
    failed = 0
    pairs = (_pair(text, number) for number, text in enumerate(lines(), start=1))
    for number, (_, logprobs) in enumerate(score_stream(model.backend, pairs), start=1):
        if isinstance(logprobs, Failure):
            failed += 1
            warn(f"line {number}: {logprobs.reason}")
            say()
        else:
            tokens = " ".join(f"{logprob:.6f}" for logprob in logprobs)
            say_raw(f"{math.fsum(logprobs):.6f}\t{mean(logprobs):.6f}\t{tokens}")
    return 1 if failed else 0


def _pair(text: str, line: int) -> ScorePair:
    source, tab, target = text.partition("\t")
    if not tab:
        raise MtprobeError(f"line {line}: not a source and a target separated by a tab")
    return ScorePair(source, target)
