"""The registry of verbs: one module each in a group's folder, and those added by packages.

A verb is a module with `arguments(parser)` and `run(args) -> int` whose docstring begins with
"`mtprobe VERB …`: what it does". That line is read from the file, so that listing verbs imports none.
"""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from itertools import groupby
from typing import Any, Protocol, cast

from mtprobe.errors import MtprobeError

ENTRY_POINTS = "mtprobe.verbs"

# A folder of modules, and its heading in `mtprobe --help`.
GROUPS = {
    "suites": "write suites",
    "results": "look at results",
    "studies": "studies",
    "models": "models",
}

_RUN = """\
run suites:
  pytest --mt-model=SPEC SUITE...
             `mtprobe backends` lists the models, `pytest --help` the options
"""

_FIRST_LINE = re.compile(r'(?:""")?`mtprobe (?P<verb>[\w-]+)[^`]*`: (?P<about>.*?)(?:""")?\s*')


class VerbModule(Protocol):
    """The interface of a verb's module, or of the object named by a package's entry point."""

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb that can be called, loaded or not."""

    name: str
    about: str
    heading: str
    load: Callable[[], VerbModule]

    @property
    def description(self) -> str:
        """`about` as a sentence."""
        sentence = self.about[:1].upper() + self.about[1:]
        return sentence if sentence.endswith((".", "?", "!")) or not sentence else f"{sentence}."


def find_verb(name: str) -> Verb | None:
    """The verb of that name; packages are asked only for names that are not ours."""
    own = (verb for verb in own_verbs() if verb.name == name)
    return next(own, None) or next(_added(entry_points(group=ENTRY_POINTS, name=name)), None)


def verb_names() -> list[str]:
    points = entry_points(group=ENTRY_POINTS)
    return [*(verb.name for verb in own_verbs()), *sorted(point.name for point in points)]


def overview() -> str:
    """How suites are run, and all verbs by group with what they do, as wide as the terminal."""
    own = list(own_verbs())
    names = {verb.name for verb in own}
    verbs = [*own, *(verb for verb in _added(entry_points(group=ENTRY_POINTS)) if verb.name not in names)]
    indent = 4 + max(len(verb.name) for verb in verbs)
    width = max(60, shutil.get_terminal_size().columns - 2)
    lines = [_RUN]
    for heading, group in groupby(verbs, key=lambda verb: verb.heading):
        lines.append(f"{heading}:")
        for verb in group:
            about = f"  {verb.name:<{indent - 2}}{verb.about.removesuffix('.')}"
            lines.append(textwrap.fill(about, width, subsequent_indent=" " * indent, break_on_hyphens=False))
        lines.append("")
    return "\n".join([*lines, "`mtprobe VERB --help` describes a verb's arguments."])


def own_verbs() -> Iterator[Verb]:
    """The verbs in the groups' folders, by group and name."""
    for group, heading in GROUPS.items():
        modules = (file for file in (files(__package__) / group).iterdir() if file.name.endswith(".py"))
        for file in sorted(modules, key=lambda file: file.name):
            stem = file.name.removesuffix(".py")
            with file.open(encoding="utf-8") as source:
                match = _FIRST_LINE.fullmatch(source.readline())
            if match and match["verb"] == stem.rstrip("_"):  # import_: a keyword is no module's name
                module = f"{__package__}.{group}.{stem}"
                yield Verb(match["verb"], match["about"], heading, partial(_import, module))


def _import(module: str) -> VerbModule:
    return cast(VerbModule, import_module(module))


def _added(points: Iterable[EntryPoint]) -> Iterator[Verb]:
    """Verbs of packages, loaded for their docstrings. One that cannot be loaded shows the reason instead."""
    for point in sorted(points, key=lambda point: (_package(point), point.name)):
        try:
            about = _about(_load(point))
        except MtprobeError as error:
            about = str(error)
        yield Verb(point.name, about, f"from {_package(point)}", partial(_load, point))


def _load(point: EntryPoint) -> VerbModule:
    try:
        module: Any = point.load()
        if not (callable(module.arguments) and callable(module.run)):
            raise TypeError("`arguments` and `run` must be functions")
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise MtprobeError(
            f'the verb "{point.name}" of {_package(point)} cannot be loaded: {reason}'
        ) from error
    return cast(VerbModule, module)


def _about(module: VerbModule) -> str:
    """The first line of its docstring, with or without the usage before it."""
    first = next(iter((module.__doc__ or "").strip().splitlines()), "")
    match = _FIRST_LINE.fullmatch(first)
    return match["about"] if match else first


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value
