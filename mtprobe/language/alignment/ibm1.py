"""A light aligner of our own: IBM model 1 with a preference for the diagonal, fitted to the pairs that it aligns.

It is made for suites, whose sentences resemble each other and whose focus words come back again and again. Words
are told apart by how they begin, so that *enfermeiro* and *enfermeira* are learnt together. Fitting is
deterministic; an alignment depends on the set of pairs, not on their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtprobe.language.alignment.links import Alignment, Link, SentencePair

_ROUNDS = 8
_TENSION = 4.0  # how much words prefer those at the same place of the other sentence
_NOWHERE = 0.08  # the share of target words that translate nothing
_SMOOTHING = 0.01
_BEGINNING = 5  # letters that tell words apart
_SURE = 0.2  # a word that got no link takes its best one, if that has at least this probability
_MANY = 20_000  # pairs that are fitted at once


class IBM1:
    name = "ibm1"

    def align(self, pairs: Sequence[SentencePair]) -> list[Alignment]:
        different = sorted(set(pairs))
        found: dict[SentencePair, Alignment] = {}
        for start in range(0, len(different), _MANY):
            block = different[start : start + _MANY]
            found.update(zip(block, _fitted(block), strict=True))
        return [found[pair] for pair in pairs]


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Every source token (the last one is nowhere) beside every target token of its pair, flat."""

    sentence: NDArray[np.intp]
    source: NDArray[np.intp]  # its place in the sentence; −1 is nowhere
    target: NDArray[np.intp]
    slot: NDArray[np.intp]  # a number for each target token of all pairs
    word: NDArray[np.intp]  # a number for each source word
    kind: NDArray[np.intp]  # a number for each source word beside a target word
    prior: NDArray[np.float64]


def _fitted(pairs: Sequence[SentencePair]) -> list[Alignment]:
    links: list[list[Link]] = [[] for _ in pairs]
    held = _candidates(pairs)
    if held is None:
        return [tuple(one) for one in links]
    posterior = _posterior(held)
    best = np.lexsort((held.source, -posterior, held.slot))
    first = best[np.unique(held.slot[best], return_index=True)[1]]
    for index in first[held.source[first] >= 0]:
        links[held.sentence[index]].append(Link(int(held.source[index]), int(held.target[index])))
    _link_the_rest(held, posterior, links)
    return [tuple(sorted(one)) for one in links]


def _link_the_rest(held: _Candidates, posterior: NDArray[np.float64], links: list[list[Link]]) -> None:
    """A source word that no target word chose takes the one that came nearest to choosing it."""
    for index in np.lexsort((held.target, -posterior)):
        if posterior[index] < _SURE:
            break
        sentence, source = int(held.sentence[index]), int(held.source[index])
        if source >= 0 and all(link.source != source for link in links[sentence]):
            links[sentence].append(Link(source, int(held.target[index])))


def _posterior(held: _Candidates) -> NDArray[np.float64]:
    """How probable it is that a target token translates a source token."""
    words = np.zeros(int(held.kind.max()) + 1, dtype=np.intp)
    words[held.kind] = held.word
    sizes = np.bincount(words)
    given = 1 / sizes[words]  # of each target word, by the source word
    for _ in range(_ROUNDS):
        joint = held.prior * given[held.kind]
        posterior: NDArray[np.float64] = joint / np.bincount(held.slot, weights=joint)[held.slot]
        counts = np.bincount(held.kind, weights=posterior) + _SMOOTHING
        given = counts / np.bincount(words, weights=counts)[words]
    return posterior


def _candidates(pairs: Sequence[SentencePair]) -> _Candidates | None:
    words: dict[str, int] = {"": 0}  # nowhere
    columns: list[tuple[int, int, int, int, int, int, float]] = []
    others: dict[str, int] = {}
    slot = 0
    for sentence, pair in enumerate(pairs):
        sources = [words.setdefault(_key(token), len(words)) for token in pair.source.split()]
        targets = [others.setdefault(_key(token), len(others)) for token in pair.translation.split()]
        for target, other in enumerate(targets):
            place = (target + 0.5) / len(targets)
            near = [np.exp(-_TENSION * abs((at + 0.5) / len(sources) - place)) for at in range(len(sources))]
            total = sum(near)
            columns.append((sentence, -1, target, slot, 0, other, _NOWHERE))
            columns.extend(
                (sentence, at, target, slot, word, other, (1 - _NOWHERE) * near[at] / total)
                for at, word in enumerate(sources)
            )
            slot += 1
    if not columns:
        return None
    table = np.array([column[:6] for column in columns], dtype=np.intp)
    _, kinds = np.unique(table[:, 4] * len(others) + table[:, 5], return_inverse=True)
    prior = np.array([column[6] for column in columns])
    return _Candidates(table[:, 0], table[:, 1], table[:, 2], table[:, 3], table[:, 4], kinds, prior)


def _key(token: str) -> str:
    """How a word begins, without punctuation; a sign alone is itself."""
    bare = "".join(sign for sign in token.casefold() if sign.isalnum())
    return bare[:_BEGINNING] or token
