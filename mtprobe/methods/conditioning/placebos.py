"""Placebo cues: irrelevant words, inserted in the same place as a sample's own cues."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mtprobe.language import tags
from mtprobe.suite.samples import english

_FOCUS = "<>"
_PIECES = re.compile(r"<>|\w+|[^\w<>]+")
_ARTICLE_AT_END = re.compile(r"\b(?:an?|the)\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placebos:
    """The words of one language."""

    adjectives: tuple[str, ...]
    persons: tuple[str, ...]


def placebos_for(language: str) -> Placebos | None:
    """The words for sources in this language; None if there are none."""
    return next((words for tag, words in _all().items() if tags.fits(tag, language)), None)


def placebo_cues(cues: Sequence[str], words: Placebos) -> tuple[str, ...]:
    """Cues like these, with words that settle nothing in place of those in which they differ.

    `<> (a man)` and `<> (a woman)` become `<> (a person)`; where the cues have no frame in common, the placebos are
    adjectives before the focus.
    """
    pieces = [_PIECES.findall(cue if _FOCUS in cue else f"{cue} {_FOCUS}") for cue in dict.fromkeys(cues)]
    start, end = _common(pieces), _common([one[::-1] for one in pieces])
    shortest = min(map(len, pieces))
    end = min(end, shortest - start)
    before, after = "".join(pieces[0][:start]), "".join(pieces[0][len(pieces[0]) - end :])
    if len(pieces) < 2 or _FOCUS not in before + after:
        before, after = "", f" {_FOCUS}"
    noun = _ARTICLE_AT_END.search(before) and not re.match(r"\s*(?:\w|<>)", after)
    return tuple(
        english.with_article(before, word) + word + after
        for word in (words.persons if noun else words.adjectives)
    )


def _common(lists: Sequence[Sequence[str]]) -> int:
    """How many pieces all lists begin with."""
    count = 0
    for same in zip(*lists, strict=False):
        if len(set(same)) > 1:
            break
        count += 1
    return count


@cache
def _all() -> dict[str, Placebos]:
    import yaml

    languages = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return {
        tag: Placebos(tuple(words["adjectives"]), tuple(words["persons"])) for tag, words in languages.items()
    }
