"""Which machine translations make pairs (Vamvas and Sennrich, 2021, § 3.3): those that a human reference vouches for.

A translation that shows the phenomenon as the reference does is kept. One that has the words which the change would
have put into the reference is wrong itself: it becomes the wrong side, and the reference's words make the right one.
Of all others nobody knows whether they are right.
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
    """A right and a wrong target, told apart by a human reference."""

    correct: str
    incorrect: str
    group: str
    how: Literal["kept", "swapped"]


def validated(kind: Kind, reference: Sequence[Change], line: Line) -> list[Validated] | Dropped:
    """The pairs that a translation gives, of which one may be chosen; or why there is none."""
    found = [change for change in kind.changes(line) if isinstance(change, Change)]
    kept = [
        Validated(line.target, change.applied_to(line.target), change.group, "kept")
        for change in found
        if any(kind.same(change.right, theirs.right) for theirs in reference)
    ]
    if kept:
        return kept
    swapped = [pair for change in reference if (pair := _swapped(kind, change, line)) is not None]
    if swapped:
        return swapped
    return OTHER_WORDS if found else ABSENT


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
    return " ".join(like(one, other) for one, other in zip(ours, theirs, strict=True))
