"""Errors with a location (path:line:column): what is wrong, and what would be right.

`MtprobeError` is a user's mistake and is shown without a traceback; anything else that
escapes is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mtprobe.printable import printable, printable_lines

MOST_PROBLEMS = 20  # per suite: more than anyone fixes before trying again
_LONGEST = 1_000  # characters of a message
_MANY, _LONG_WORD = (
    5_000,
    100,
)  # with more names, or a longer one, the search for close names takes too long


def words_of(error: BaseException) -> str:
    """The message of somebody else's exception; its type if there is none."""
    try:
        return printable(error) or type(error).__name__
    except Exception:  # foreign code
        return type(error).__name__


def _shortened(text: str) -> str:
    """A message without the middle of what it quotes at length."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST * 3 // 4]} … {text[-_LONGEST // 5 :]}"


class MtprobeError(Exception):
    """An error that the user can fix; the message explains how."""

    def __init__(self, message: object) -> None:
        super().__init__(printable_lines(message))


class ModelError(MtprobeError):
    """A model that cannot be used: an unknown spec, missing or damaged files, a dead process."""

    def __init__(self, message: object) -> None:
        super().__init__(_shortened(str(message)))


@dataclass(frozen=True, slots=True)
class Place:
    """A location in a file. Lines and columns count from 1; line 0 is the whole file."""

    path: Path
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [str(self.path), *(str(number) for number in (self.line, self.column) if number)]
        return ":".join(parts)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a suite or a data file. Long quotations are shortened."""

    place: Place
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(_shortened(self.message)))

    def __str__(self) -> str:
        return f"{printable(self.place)}: {self.message}"


class SuiteError(MtprobeError):
    """All problems of one suite, each with its location; only the first ones if there are many."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems[:MOST_PROBLEMS])
        super().__init__("\n".join(str(problem) for problem in self.problems))

    @classmethod
    def at(cls, place: Place, message: str) -> SuiteError:
        return cls([Problem(place, message)])


class MissingFile(SuiteError):
    """A data file that does not exist, in a suite that allows that: then the suite is skipped."""


class MissingData(SuiteError):
    """A suite with `missing: skip` whose data is not here."""

    def __init__(self, problems: Sequence[Problem], name: str, gates: Sequence[str]) -> None:
        super().__init__(problems)
        self.name = name
        self.gates = tuple(gates)


@dataclass(frozen=True, slots=True)
class Failure:
    """Takes the place of a missing translation or score, with the reason. Other sentences are not affected."""

    reason: str


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean "…"?`, or the choices if none is close."""
    names = list(dict.fromkeys(known))
    if len(names) > _MANY or len(word) > _LONG_WORD:
        return ""
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6) or [
        name for name in names if name.casefold() == word.casefold()
    ]
    if close:
        return f'; did you mean "{close[0]}"?'
    if not names:
        return ""
    return f"; available: {', '.join(names)}" if len(names) <= 12 else ""
