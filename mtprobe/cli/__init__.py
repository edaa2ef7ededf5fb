"""`mtprobe VERB`: one small file a verb, loaded when it is called."""

from __future__ import annotations

import argparse
import keyword
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from mtprobe import __version__
from mtprobe.errors import MtprobeError

# Each module has `HELP`, `arguments(parser)` and `run(args) -> int`.
VERBS = (
    "lint",
    "expand",
    "new",
    "schema",
    "backends",
    "translate",
    "score",
    "export",
    "cache",
    "store",
    "agree",
    "import",
    "regress",
    "audit",
    "salience",
    "cues",
    "senses",
    "genders",
    "pairs",
    "winograd",
    "bless",
    "compare",
    "report",
    "rescore",
    "show",
    "blame",
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line. A user's mistake ends with its message and exit code 2; a bug with its traceback."""
    parser = argparse.ArgumentParser(
        prog="mtprobe", description="Behaviour tests for machine translation. Suites are run with pytest."
    )
    parser.add_argument("--version", action="version", version=f"mtprobe {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in VERBS:
        module = _module(verb)
        module.arguments(verbs.add_parser(verb, help=module.HELP, description=module.HELP))
    args = parser.parse_args(argv)
    try:
        return int(_module(args.verb).run(args))
    except MtprobeError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # as in `mtprobe expand … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _module(verb: str) -> Any:
    return import_module(f"mtprobe.cli.{verb}{'_' * keyword.iskeyword(verb)}")
