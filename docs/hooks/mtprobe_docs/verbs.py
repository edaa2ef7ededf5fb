"""The verbs of the command line, from their parsers."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from itertools import groupby

from mtprobe.cli.verbs import Verb, own_verbs
from mtprobe_docs.markdown import code, sentence, table


def overview() -> str:
    """One row per verb."""
    rows = ((f"[`{verb.name}`](#mtprobe-{verb.name})", sentence(verb.about)) for verb in own_verbs())
    return table(["verb", "purpose"], rows)


def verbs() -> str:
    parts = []
    for heading, group in groupby(own_verbs(), key=lambda verb: verb.heading):
        parts.append(f"## {heading[:1].upper()}{heading[1:]}")
        parts += (part for verb in group for part in _verb(verb))
    return "\n\n".join(parts)


def _verb(verb: Verb) -> Iterator[str]:
    parser = argparse.ArgumentParser(prog=f"mtprobe {verb.name}")
    verb.load().arguments(parser)
    yield f"### mtprobe {verb.name}"
    yield sentence(verb.about)
    yield from _arguments(parser)


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    words = parser.format_usage().removeprefix("usage: ").replace(" [-h]", "").split()
    usage = textwrap.fill(" ".join(words), 88, subsequent_indent="    ", break_on_hyphens=False)
    yield f"```text\n{usage}\n```"
    rows = []
    inner: list[tuple[str, str, argparse.ArgumentParser]] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            about = {choice.dest: choice.help or "" for choice in action._choices_actions}
            inner += ((name, about.get(name, ""), choice) for name, choice in action.choices.items())
        elif not isinstance(action, argparse._HelpAction) and action.help != argparse.SUPPRESS:
            rows.append((code(_name(action)), _help(parser, action)))
    if rows:
        yield table(["argument", "meaning"], rows)
    for name, about, choice in inner:
        yield f"**`{name}`**: {sentence(about or choice.description or '')}"
        yield from _arguments(choice)


def _name(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else " ".join(action.metavar or ())
    value = metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    if not action.option_strings:
        return value
    return ", ".join(action.option_strings) + (f" {value}" if action.nargs != 0 else "")


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return parser._get_formatter()._expand_help(action) if action.help else ""
