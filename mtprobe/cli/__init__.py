"""`mtprobe VERB`: one module per verb, imported when it is called."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from mtprobe import __version__
from mtprobe.cli.output import as_options, drop_output, warn
from mtprobe.cli.verbs import find_verb, overview, verb_names
from mtprobe.errors import MtprobeError
from mtprobe.printable import printable_lines


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. A user's mistake ends with its message and exit code 2; a bug with its traceback."""
    words = list(sys.argv[1:] if argv is None else argv)
    code = 0
    try:
        if not words or words[0].startswith("-"):
            _without_verb(words)
        code = _call(words[0], words[1:])
        sys.stdout.flush()
    except MtprobeError as error:
        warn(*as_options(str(error)).split("\n"))
        return 2
    except BrokenPipeError:  # a verb whose exit code is a verdict does not get here before it
        drop_output()
    except KeyboardInterrupt:
        return 130
    return code


class _Parser(argparse.ArgumentParser):
    """A parser whose errors may quote arguments, such as file names."""

    def error(self, message: str) -> NoReturn:
        super().error(printable_lines(message))


def _call(name: str, words: Sequence[str]) -> int:
    verb = find_verb(name)
    if verb is None:
        from mtprobe.cli.guesses import unknown_verb

        raise MtprobeError(unknown_verb(name, list(words), verb_names()))
    module = verb.load()
    parser = _Parser(prog=f"mtprobe {name}", description=verb.description)
    module.arguments(parser)
    intermixed = getattr(module, "INTERMIXED", False)  # options may stand between its names
    parse = parser.parse_intermixed_args if intermixed else parser.parse_args
    return int(module.run(parse(words)))


def _without_verb(words: Sequence[str]) -> None:
    """`--help` and `--version` exit; anything else is a usage error."""
    parser = _Parser(
        prog="mtprobe",
        usage="%(prog)s [-h] [--version] VERB ...",
        description="Behaviour tests for machine translation.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mtprobe {__version__}")
    if {"-h", "--help"} & set(words):  # reads the first line of every verb's module
        parser.epilog = overview()
    parser.parse_args(words)
    parser.error("VERB is missing; `mtprobe --help` lists the verbs")
