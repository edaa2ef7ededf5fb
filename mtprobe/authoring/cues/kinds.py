"""The two kinds of cues, and which of them works better.

A kind is chosen for a whole file: what a few references of one word say is mostly chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from mtprobe.authoring.cues.select import Judged, SenseCues
from mtprobe.methods.audit_pairs.answers import halves

Kind: TypeAlias = Literal["before", "replace"]
ByKind: TypeAlias = Mapping[Kind, tuple[SenseCues, ...]]  # of one word: its senses with the cues of each kind
WHERE: Mapping[Kind, str] = {"before": "before the focus", "replace": "in its place"}


def best_kind(words: Sequence[ByKind]) -> Kind | None:
    """The kind that judges best where both can judge: held-out references, and wrong translations with equal weight.

    Of equal ones `replace`, as such a cue adds nothing that a translation could lack. None without a word of both kinds.
    """
    kinds: list[Kind] = [kind for kind in ("replace", "before") if any(kind in word for word in words)]
    if len(kinds) < 2:
        return kinds[0] if kinds else None
    worth = {kind: _worth(words, kind) for kind in kinds}
    if worth["replace"] is None or worth["before"] is None:
        covered = {kind: sum(_covered(word, kind) for word in words) for kind in kinds}
        return max(kinds, key=lambda kind: covered[kind])
    return max(kinds, key=lambda kind: worth[kind] or 0.0)


def kind_of_word(word: ByKind, chosen: Kind) -> Kind:
    """The chosen kind, unless the other one has cues for more of the word's senses."""
    kinds = sorted(word, key=lambda kind: kind != chosen)
    return max(kinds, key=lambda kind: _covered(word, kind))


def worth_of_choice(words: Mapping[str, ByKind]) -> Judged:
    """Held-out references, each judged with cues of the kind that was chosen on the other half of the words."""
    half = dict(zip(words, halves(list(words)), strict=True))
    total = Judged()
    for at in (0, 1):
        kind = best_kind([word for name, word in words.items() if half[name] != at])
        if kind is None:
            continue
        for word in (word for name, word in words.items() if half[name] == at):
            for sense in word[kind_of_word(word, kind)]:
                total += sense.held_out
    return total


def _worth(words: Sequence[ByKind], kind: Kind) -> float | None:
    """The mean share of what is judged right, of right and of wrong translations; None if nothing is comparable."""
    right, wrong = Judged(), Judged()
    for sense, others in _paired(words, kind):
        if all(other.held_out.n for other in (sense, *others)):
            right += sense.held_out
        if all(other.wrong.n for other in (sense, *others)):
            wrong += sense.wrong
    shares = [judged.right / judged.n for judged in (right, wrong) if judged.n]
    return sum(shares) / len(shares) if right.n else None


def _paired(words: Sequence[ByKind], kind: Kind) -> Iterator[tuple[SenseCues, list[SenseCues]]]:
    """Each sense with cues of this kind, and with the same sense's other cues."""
    for word in words:
        for sense in word.get(kind, ()):
            yield (
                sense,
                [
                    other
                    for name, senses in word.items()
                    if name != kind
                    for other in senses
                    if other.sense == sense.sense
                ],
            )


def _covered(word: ByKind, kind: Kind) -> int:
    return sum(bool(sense.correct and sense.incorrect) for sense in word.get(kind, ()))
