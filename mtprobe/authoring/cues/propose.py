"""Proposals: words that a masked language model predicts before a word in one sense but not in its others.

All contexts of a sense contribute: a word's probability is the normalised geometric mean of its probabilities in them.
A sense's pool has the words with the highest probability of occurring before it and not before the other senses. The
proposals are the first words of the pool that are in no other sense's pool. (Vamvas and Sennrich, 2021, Appendix D; the
size of the pool is that of their published code.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

import numpy as np
from numpy.typing import NDArray

from mtprobe.authoring.cues.masked import CueModel
from mtprobe.authoring.cues.material import AmbiguousWord

Floats = NDArray[np.float64]

_TINY = 1e-300  # for a word with probability 0


@dataclass(frozen=True, slots=True)
class Limits:
    """How many words each step of finding cues keeps. As published: Vamvas and Sennrich, 2021, Appendix D; the pool from their code."""

    pool: int = 50
    proposals: int = 10
    cues: int = 3


@dataclass(frozen=True, slots=True)
class Proposals:
    """Candidate cues for a sense, and for the word's other senses; the best first."""

    correct: tuple[str, ...]
    incorrect: tuple[str, ...]


def propose(word: AmbiguousWord, model: CueModel, limits: Limits) -> dict[str, Proposals]:
    """The proposals for each sense of a word."""
    itself = word.forms
    forbidden = np.array([name.casefold() in itself for name in model.words])
    pools = pools_by_sense(word, model.before_focus(word.contexts), model.words, forbidden, limits.pool)
    return {sense: _proposals(pools, sense, limits.proposals) for sense in pools}


def pools_by_sense(
    word: AmbiguousWord, probabilities: Floats, names: Sequence[str], forbidden: NDArray[np.bool_], size: int
) -> dict[str, list[str]]:
    """For each sense the names that are probable in its contexts (rows, as in `word.contexts`) and not in the others'."""
    ends = np.cumsum([len(of_sense) for of_sense in word.senses.values()])[:-1]
    by_sense = np.split(probabilities, ends)
    expected = {sense: _combined(rows) for sense, rows in zip(word.senses, by_sense, strict=True)}
    return {
        sense: _pool(of_sense, _others(expected, sense), forbidden, names, size)
        for sense, of_sense in expected.items()
    }


def _combined(probabilities: Floats) -> Floats:
    """One distribution over words from several contexts."""
    logs = np.log(np.maximum(probabilities, _TINY)).mean(axis=0)
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _others(expected: Mapping[str, Floats], sense: str) -> Floats:
    return np.asarray(np.mean([of_other for other, of_other in expected.items() if other != sense], axis=0))


def _pool(
    own: Floats, others: Floats, forbidden: NDArray[np.bool_], words: Sequence[str], size: int
) -> list[str]:
    """The best words first; ties are in alphabetical order, which is that of `words`."""
    fitness = np.where(forbidden, -1.0, own * (1 - others))
    best = np.argsort(-fitness, kind="stable")[:size]
    return [words[index] for index in best if fitness[index] >= 0]


def _proposals(pools: Mapping[str, Sequence[str]], sense: str, count: int) -> Proposals:
    own = pools[sense]
    others = [pool for other, pool in pools.items() if other != sense]
    elsewhere = {*chain.from_iterable(others)}
    in_turn = (word for row in zip_longest(*others) for word in row if word is not None)
    return Proposals(
        correct=_first((word for word in own if word not in elsewhere), count),
        incorrect=_first((word for word in in_turn if word not in {*own}), count),
    )


def _first(words: Iterable[str], count: int) -> tuple[str, ...]:
    return tuple(islice(dict.fromkeys(words), count))
