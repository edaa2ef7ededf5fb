"""`mtprobe translate SPEC`: one source a line from standard input, one translation a line to standard output."""

from __future__ import annotations

import argparse
import sys

from mtprobe.cli.model import chunks_of_lines, model_arguments, open_model
from mtprobe.errors import Failure

HELP = "Translate lines from standard input, to try a model."


def arguments(parser: argparse.ArgumentParser) -> None:
    model_arguments(parser)


def run(args: argparse.Namespace) -> int:
    model = open_model(args)
    failed, line = 0, 0
    for chunk in chunks_of_lines():
        for translation in model.backend.translate(chunk):
            line += 1
            if isinstance(translation, Failure):
                failed += 1
                print(f"line {line}: {translation.reason}", file=sys.stderr)
                print()
            else:
                print(" ".join(translation.split("\n")))
        sys.stdout.flush()
    return 1 if failed else 0
