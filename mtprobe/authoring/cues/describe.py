"""A text summary of the cues that were found, with the usefulness of each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mtprobe.authoring.cues.generate import WordCues
from mtprobe.authoring.cues.kinds import WHERE, Kind, worth_of_choice
from mtprobe.authoring.cues.select import Judged, SenseCues
from mtprobe.statistics.clustered import cluster_ratio
from mtprobe.statistics.intervals import exact

_MEASURED: Mapping[str, str] = {
    "references": "references judged correctly, with cues selected on them",
    "held_out": "with cues selected on the other half of the references",
    "wrong": "translations in another sense recognised as such",
}


def word_lines(word: WordCues) -> Iterator[str]:
    """One paragraph per sense, in it one part per kind."""
    for sense in dict.fromkeys(one.sense for senses in word.kinds.values() for one in senses):
        yield f"{word.word}, {sense}"
        for kind, senses in word.kinds.items():
            if len(word.kinds) > 1:
                yield f"  {WHERE[kind]}"
            for one in (one for one in senses if one.sense == sense):
                yield from _sense_lines(one)
        yield ""


def _sense_lines(sense: SenseCues) -> Iterator[str]:
    if sense.problem:
        yield f"  no cues      {sense.problem}"
    for name, what in _MEASURED.items():
        judged: Judged = getattr(sense, name)
        if judged.n:
            low, high = exact(judged.right, judged.n)
            yield f"  {judged.right / judged.n:.2f}         {what} (95% {low:.2f}–{high:.2f}, n = {judged.n})"
    if sense.failed:
        yield f"  skipped      translations that could not be scored: {sense.failed}"
    yield from _sides(sense)


def _sides(sense: SenseCues) -> Iterator[str]:
    for side, cues, proposed in (
        ("correct", sense.correct, sense.proposals.correct),
        ("incorrect", sense.incorrect, sense.proposals.incorrect),
    ):
        selected = {cue.word for cue in cues}
        rest = ", ".join(word for word in proposed if word not in selected)
        shown = ", ".join(f"{cue.word} ({cue.score:.3f})" for cue in cues)
        if shown or rest:
            yield f"  {side:<12} " + " | ".join(part for part in (shown, rest) if part)


def total_lines(words: Sequence[WordCues]) -> Iterator[str]:
    """All words together, by kind; the senses of a word are not independent."""
    kinds = dict.fromkeys(kind for word in words for kind in word.kinds)
    for kind in kinds:
        senses = [sense for word in words for sense in word.kinds[kind]]
        with_cues = sum(bool(sense.correct) for sense in senses)
        where = f" {WHERE[kind]}" if len(kinds) > 1 else ""
        yield f"{with_cues} of {len(senses)} senses of {len(words)} word{'s' * (len(words) > 1)} have cues{where}"
        for name, what in _MEASURED.items():
            yield from _share([_sum(word, kind, name) for word in words], what)
    if len(kinds) > 1:
        chosen = worth_of_choice({" ".join(word.key): word.kinds for word in words})
        if chosen.n:
            yield "the kind that is better on the other half of the words"
            yield f"  {chosen.right / chosen.n:.2f}  {_MEASURED['held_out']} (n = {chosen.n:,})"


def _sum(word: WordCues, kind: Kind, name: str) -> Judged:
    return sum((getattr(sense, name) for sense in word.kinds[kind]), Judged())


def _share(by_word: Sequence[Judged], what: str) -> Iterator[str]:
    right, n = (np.array([getattr(row, part) for row in by_word], float) for part in ("right", "n"))
    if n.sum():
        low, high = cluster_ratio(right, n)
        yield f"  {right.sum() / n.sum():.2f}  {what} (95% {low:.2f}–{high:.2f}, n = {int(n.sum()):,})"
