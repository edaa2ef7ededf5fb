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

# By group: the folder that a verb's module is in. Each module has `HELP`, `arguments(parser)` and `run(args) -> int`.
VERBS = {
    "suites": ("new", "lint", "expand", "schema", "import", "cues", "senses", "genders", "pairs", "winograd"),
    "results": ("report", "show", "compare", "bless", "rescore"),
    "studies": ("agree", "regress", "blame", "salience"),
    "models": ("backends", "audit", "translate", "score", "export", "cache", "store"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """The command line. A user's mistake ends with its message and exit code 2; a bug with its traceback."""
    parser = argparse.ArgumentParser(
        prog="mtprobe", description="Behaviour tests for machine translation. Suites are run with pytest."
    )
    parser.add_argument("--version", action="version", version=f"mtprobe {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in (verb for group in VERBS.values() for verb in group):
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
    group = next(group for group, verbs in VERBS.items() if verb in verbs)
    return import_module(f"mtprobe.cli.{group}.{verb}{'_' * keyword.iskeyword(verb)}")
