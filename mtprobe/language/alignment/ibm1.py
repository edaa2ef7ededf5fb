"""A light built-in aligner: IBM model 1 with a preference for the diagonal, fitted to the pairs that it aligns.

It is made for suites, whose sentences resemble each other and whose focus words recur. Words are identified by their
first letters, so that *enfermeiro* and *enfermeira* are learnt together. Fitting is
deterministic; an alignment depends on the set of pairs, not on their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mtprobe.language.alignment.links import Alignment, Link, SentencePair

_ROUNDS = 8
_TENSION = 4.0  # how strongly words prefer the same position in the other sentence
_NOWHERE = 0.08  # the share of target words without a source word
_SMOOTHING = 0.01
_BEGINNING = 5  # letters that identify a word
_SURE = 0.2  # a word without a link takes its best one if that has at least this probability
_MANY = 10_000  # pairs that are fitted together


class IBM1:
    name = "ibm1"

    def align(self, pairs: Sequence[SentencePair]) -> list[Alignment]:
        different = sorted(set(pairs))
        alignments: dict[SentencePair, Alignment] = {}
        for start in range(0, len(different), _MANY):
            block = different[start : start + _MANY]
            alignments.update(zip(block, _fitted(block), strict=True))
        return [alignments[pair] for pair in pairs]


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Every source token (the first is "nowhere") with every target token of its pair, flattened."""

    sentence: NDArray[np.intp]
    source: NDArray[np.intp]  # its place in the sentence; −1 is nowhere
    target: NDArray[np.intp]
    slot: NDArray[np.intp]  # a number for each target token of all pairs
    word: NDArray[np.intp]  # a number for each source word
    kind: NDArray[np.intp]  # a number for each source word beside a target word
    prior: NDArray[np.float64]


def _fitted(pairs: Sequence[SentencePair]) -> list[Alignment]:
    links: list[list[Link]] = [[] for _ in pairs]
    candidates = _candidates(pairs)
    if candidates is None:
        return [tuple(one) for one in links]
    posterior = _posterior(candidates)
    best = np.lexsort((candidates.source, -posterior, candidates.slot))
    first = best[np.unique(candidates.slot[best], return_index=True)[1]]
    for index in first[candidates.source[first] >= 0]:
        links[candidates.sentence[index]].append(
            Link(int(candidates.source[index]), int(candidates.target[index]))
        )
    _link_the_rest(candidates, posterior, links)
    return [tuple(sorted(one)) for one in links]


def _link_the_rest(candidates: _Candidates, posterior: NDArray[np.float64], links: list[list[Link]]) -> None:
    """A source word that no target word chose takes the target word that gives it the highest probability."""
    for index in np.lexsort((candidates.target, -posterior)):
        if posterior[index] < _SURE:
            break
        sentence, source = int(candidates.sentence[index]), int(candidates.source[index])
        if source >= 0 and all(link.source != source for link in links[sentence]):
            links[sentence].append(Link(source, int(candidates.target[index])))


def _posterior(candidates: _Candidates) -> NDArray[np.float64]:
    """How probable it is that a target token translates a source token."""
    words = np.zeros(int(candidates.kind.max()) + 1, dtype=np.intp)
    words[candidates.kind] = candidates.word
    sizes = np.bincount(words)
    given = 1 / sizes[words]  # of each target word, by the source word
    for _ in range(_ROUNDS):
        joint = candidates.prior * given[candidates.kind]
        posterior: NDArray[np.float64] = joint / np.bincount(candidates.slot, weights=joint)[candidates.slot]
        counts = np.bincount(candidates.kind, weights=posterior) + _SMOOTHING
        given = counts / np.bincount(words, weights=counts)[words]
    return posterior


def _candidates(pairs: Sequence[SentencePair]) -> _Candidates | None:
    words: dict[str, int] = {"": 0}  # nowhere
    others: dict[str, int] = {}
    numbers: list[NDArray[np.intp]] = []
    priors: list[NDArray[np.float64]] = []
    slots = 0
    for sentence, pair in enumerate(pairs):
        sources = [0, *(words.setdefault(_key(token), len(words)) for token in pair.source.split())]
        targets = [others.setdefault(_key(token), len(others)) for token in pair.translation.split()]
        n, m = len(sources), len(targets)
        if not m:
            continue
        candidates = np.empty((6, m, n), dtype=np.intp)
        candidates[0], candidates[1], candidates[2] = sentence, np.arange(-1, n - 1), np.arange(m)[:, None]
        candidates[3], candidates[4], candidates[5] = (
            candidates[2] + slots,
            sources,
            np.array(targets)[:, None],
        )
        numbers.append(candidates.reshape(6, -1))
        priors.append(_prior(n - 1, m).ravel())
        slots += m
    if not numbers:
        return None
    sentences, places, targets_at, slot, word, other = np.concatenate(numbers, axis=1)
    _, kinds = np.unique(word * len(others) + other, return_inverse=True)
    return _Candidates(sentences, places, targets_at, slot, word, kinds, np.concatenate(priors))


@lru_cache(maxsize=4096)
def _prior(sources: int, targets: int) -> NDArray[np.float64]:
    """For each target token: nowhere, then each source token, more likely the nearer to the diagonal."""
    if not sources:
        return np.ones((targets, 1))
    at, to = ((np.arange(count) + 0.5) / count for count in (sources, targets))
    near = np.exp(-_TENSION * np.abs(at[None, :] - to[:, None]))
    near *= (1 - _NOWHERE) / near.sum(axis=1, keepdims=True)
    return np.hstack([np.full((targets, 1), _NOWHERE), near])


def _key(token: str) -> str:
    """The first letters of a word, without punctuation; punctuation alone as it is."""
    bare = "".join(sign for sign in token.casefold() if sign.isalnum())
    return bare[:_BEGINNING] or token
