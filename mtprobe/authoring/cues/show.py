"""Prints each sense with its cues, how well they discriminate, and the other proposals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from mtprobe.authoring.cues.generate import WordCues
from mtprobe.authoring.cues.select import Cue, Judged, SenseCues
from mtprobe.statistics.intervals import cluster_ratio, wilson


def word_lines(word: WordCues) -> Iterator[str]:
    """One paragraph per sense."""
    for sense in word.senses:
        yield f"{word.word}, {sense.sense}"
        if sense.problem:
            yield f"  no cues      {sense.problem}"
        for judged, what in (
            (sense.references, "references judged correctly, with cues selected on them"),
            (sense.held_out, "with cues selected on the other half of the references"),
            (sense.wrong, "translations in another sense recognised as such"),
        ):
            if judged.n:
                yield f"  {judged.right / judged.n:.2f}         {what} ({_interval(judged)}, n = {judged.n})"
        if sense.failed:
            yield f"  skipped      translations that could not be scored: {sense.failed}"
        yield from _sides(sense)
        yield ""


def total_lines(words: Sequence[WordCues]) -> Iterator[str]:
    """All words together; the senses of a word are not independent."""
    senses = [sense for word in words for sense in word.senses]
    with_cues = sum(bool(sense.correct) for sense in senses)
    yield f"{with_cues} of {len(senses)} senses of {len(words)} word{'s' * (len(words) > 1)} have cues"
    for name, what in (
        ("references", "references judged correctly, with cues selected on them"),
        ("held_out", "of them with cues selected on the other half"),
        ("wrong", "translations in another sense recognised as such"),
    ):
        by_word = [sum((getattr(sense, name) for sense in word.senses), Judged()) for word in words]
        right, n = (np.array(column, dtype=np.float64) for column in _columns(by_word))
        if n.sum():
            low, high = cluster_ratio(right, n, seed=0)
            yield f"  {right.sum() / n.sum():.2f}  {what} (95% {low:.2f}–{high:.2f}, n = {int(n.sum()):,})"


def _columns(judged: Iterable[Judged]) -> tuple[list[int], list[int]]:
    rows = list(judged)
    return [row.right for row in rows], [row.n for row in rows]


def _interval(judged: Judged) -> str:
    low, high = wilson(judged.right, judged.n)
    return f"95% {low:.2f}–{high:.2f}"


def _sides(sense: SenseCues) -> Iterator[str]:
    for side, cues, proposed in (
        ("correct", sense.correct, sense.proposals.correct),
        ("incorrect", sense.incorrect, sense.proposals.incorrect),
    ):
        selected = {cue.word for cue in cues}
        rest = ", ".join(word for word in proposed if word not in selected)
        shown = ", ".join(map(_cue, cues))
        yield f"  {side:<12} " + " | ".join(part for part in (shown, rest) if part)


def _cue(cue: Cue) -> str:
    return f"{cue.word} ({cue.score:.3f})"
