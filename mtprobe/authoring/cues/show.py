"""What was found, for people: each sense with its cues, how well they tell it, and what was proposed besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from mtprobe.authoring.cues.part import WordCues
from mtprobe.authoring.cues.select import Cue, SenseCues, Told
from mtprobe.statistics.intervals import cluster_ratio, wilson


def word_lines(word: WordCues) -> Iterator[str]:
    """A paragraph a sense."""
    for sense in word.senses:
        yield f"{word.word}, {sense.sense}"
        if sense.problem:
            yield f"  no cues      {sense.problem}"
        for told, what in (
            (sense.references, "references told right, by which the cues were selected"),
            (sense.held_out, "by cues that the other half of the references selected"),
            (sense.wrong, "translations in another sense told from it"),
        ):
            if told.n:
                yield f"  {told.right / told.n:.2f}         {what} ({_interval(told)}, n = {told.n})"
        if sense.failed:
            yield f"  left out     translations that could not be scored: {sense.failed}"
        yield from _sides(sense)
        yield ""


def total_lines(words: Sequence[WordCues]) -> Iterator[str]:
    """All words together; the senses of a word are not independent of each other."""
    senses = [sense for word in words for sense in word.senses]
    with_cues = sum(bool(sense.correct) for sense in senses)
    yield f"{with_cues} of {len(senses)} senses of {len(words)} word{'s' * (len(words) > 1)} have cues"
    for name, what in (
        ("references", "references told right, by which the cues were selected"),
        ("held_out", "of them by cues that the other half selected"),
        ("wrong", "translations in another sense told from it"),
    ):
        by_word = [sum((getattr(sense, name) for sense in word.senses), Told()) for word in words]
        right, n = (np.array(column, dtype=np.float64) for column in _columns(by_word))
        if n.sum():
            low, high = cluster_ratio(right, n, seed=0)
            yield f"  {right.sum() / n.sum():.2f}  {what} (95% {low:.2f}–{high:.2f}, n = {int(n.sum()):,})"


def _columns(told: Iterable[Told]) -> tuple[list[int], list[int]]:
    counted = list(told)
    return [one.right for one in counted], [one.n for one in counted]


def _interval(told: Told) -> str:
    low, high = wilson(told.right, told.n)
    return f"95% {low:.2f}–{high:.2f}"


def _sides(sense: SenseCues) -> Iterator[str]:
    for side, cues, proposed in (
        ("correct", sense.correct, sense.proposals.correct),
        ("incorrect", sense.incorrect, sense.proposals.incorrect),
    ):
        chosen = {cue.word for cue in cues}
        rest = ", ".join(word for word in proposed if word not in chosen)
        kept = ", ".join(map(_cue, cues))
        yield f"  {side:<12} " + " | ".join(part for part in (kept, rest) if part)


def _cue(cue: Cue) -> str:
    return f"{cue.word} ({cue.score:.3f})"
