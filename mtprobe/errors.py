"""Errors that know their place: path:line:column, what is wrong, what would be right.

`MtprobeError` is for a user's mistake and is shown without a traceback; anything else that
escapes is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_PROBLEMS = 20  # of one suite: more than anybody puts right before trying again
_LONGEST = 1_000  # characters of a message
_MANY, _LONG_WORD = (
    5_000,
    100,
)  # among more names, or for a longer one, looking for the nearest takes too long

# What a terminal would obey or could not show: control characters, changes of direction, halves of characters.
_NOT_SHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def shown(text: str) -> str:
    """The text as it can be printed anywhere: what does not belong on a screen is written as an escape."""
    return _NOT_SHOWN.sub(lambda found: found.group().encode("unicode_escape").decode(), text)


class MtprobeError(Exception):
    """Something that the user can put right; the message says how."""

    def __init__(self, message: object) -> None:
        super().__init__(shown(str(message)))


class ModelError(MtprobeError):
    """A model that cannot be had: an unknown spec, missing or damaged files, a dead process."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file. Lines and columns count from 1; line 0 is the whole file."""

    path: Path
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [str(self.path), *(str(number) for number in (self.line, self.column) if number)]
        return ":".join(parts)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a suite or a data file. What it repeats of a file is cut to what can be read."""

    place: Place
    message: str

    def __post_init__(self) -> None:
        text = self.message
        if len(text) > _LONGEST:
            text = f"{text[: _LONGEST * 3 // 4]} … {text[-_LONGEST // 5 :]}"
        object.__setattr__(self, "message", shown(text))

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class SuiteError(MtprobeError):
    """Everything wrong with one suite, each problem with its place; of very many the first ones."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems[:MOST_PROBLEMS])
        super().__init__("\n".join(str(problem) for problem in self.problems))

    @classmethod
    def at(cls, place: Place, message: str) -> SuiteError:
        return cls([Problem(place, message)])


class MissingFile(SuiteError):
    """A data file that is not there, and that the suite can do without: then it is left out as a whole."""


class MissingData(SuiteError):
    """A suite that cannot be asked here, since its data is not here; it says so itself with `missing: skip`."""

    def __init__(self, problems: Sequence[Problem], name: str, gates: Sequence[str]) -> None:
        super().__init__(problems)
        self.name = name
        self.gates = tuple(gates)


@dataclass(frozen=True, slots=True)
class Failure:
    """Stands in the place of a translation or a score that could not be had; the others are unharmed."""

    reason: str


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean "…"?`, or what there is to choose from when nothing is near."""
    names = list(dict.fromkeys(known))
    if len(names) > _MANY or len(word) > _LONG_WORD:
        return ""
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if near:
        return f'; did you mean "{near[0]}"?'
    if not names:
        return ""
    return f"; there is {', '.join(names)}" if len(names) <= 12 else ""
