"""The differences between two sources."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple

from mtprobe.methods.relations.relation import Case


class Run(NamedTuple):
    """Neighbouring words of a source that another one replaces in the other source."""

    first: tuple[str, ...]
    second: tuple[str, ...]


def changed_runs(case: Case) -> list[Run]:
    """The differences between the sources, ignoring case and punctuation."""
    one, other = case.words
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return [
        Run(tuple(one[a:b]), tuple(other[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]
