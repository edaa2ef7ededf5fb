"""Selects machine translations for pairs (Vamvas and Sennrich, 2021, § 3.3): those validated by a human reference.

A translation that shows the phenomenon as the reference does is kept. One that has the words which the change would
put into the reference is itself wrong: it becomes the incorrect target, and the reference's words make the correct one.
Whether others are correct is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mtprobe.authoring.pairs.change import Change, Dropped, Kind, Line, like

ABSENT = Dropped("the translation does not show the phenomenon")
OTHER_WORDS = Dropped("the translation shows the phenomenon in other words than the reference")


@dataclass(frozen=True, slots=True)
class Validated:
    """A correct and an incorrect target, as a human reference shows."""

    correct: str
    incorrect: str
    group: str
    how: Literal["kept", "swapped"]


def validated(kind: Kind, reference: Sequence[Change], line: Line) -> list[Validated] | Dropped:
    """The possible pairs of a translation, or why there are none."""
    changes = [change for change in kind.changes(line) if isinstance(change, Change)]
    kept = [
        Validated(line.target, change.applied_to(line.target), change.group, "kept")
        for change in changes
        if any(kind.same(change.right, theirs.right) for theirs in reference)
    ]
    if kept:
        return kept
    swapped = [pair for change in reference if (pair := _swapped(kind, change, line)) is not None]
    if swapped:
        return swapped
    return OTHER_WORDS if changes else ABSENT


def _swapped(kind: Kind, change: Change, line: Line) -> Validated | None:
    if not change.wrong or not kind.repairable(line):
        return None
    places = list(re.finditer(rf"\b{re.escape(change.wrong)}\b", line.target, re.IGNORECASE))
    if len(places) != 1 or re.search(rf"\b{re.escape(change.right)}\b", line.target, re.IGNORECASE):
        return None
    start, end = places[0].span()
    correct = line.target[:start] + _cased(change.right, line.target[start:end]) + line.target[end:]
    return Validated(correct, line.target, change.group, "swapped")


def _cased(right: str, wrong: str) -> str:
    """The right words with the capitals of the wrong ones, word by word."""
    ours, theirs = right.split(" "), wrong.split(" ")
    if len(ours) != len(theirs):
        return like(right, wrong)
    return " ".join(like(word, model) for word, model in zip(ours, theirs, strict=True))
