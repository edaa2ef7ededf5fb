"""Proposes sentences to try: all patterns in turn, short ones first, in a seeded order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from random import Random

from mtprobe.authoring.hunt.space import Candidate, Pattern, Space

_ENUMERATED = 4096  # sentences of one pattern that are listed and shuffled; of more, some are drawn
_MOST_MISSES = 200  # draws in a row that bring nothing new: the pattern has no more


def explore(space: Space, seed: int) -> Iterator[Candidate]:
    """Every sentence at most once; of patterns with few sentences all of them."""
    remaining = [
        iter(_of_pattern(space, number, pattern, Random(f"{seed}/{pattern.title}")))  # noqa: S311 - no secret
        for number, pattern in enumerate(space.patterns)
    ]
    while remaining:
        following = []
        for candidates in remaining:
            if (candidate := next(candidates, None)) is not None:
                yield candidate
                following.append(candidates)
        remaining = following


def _of_pattern(space: Space, number: int, pattern: Pattern, random: Random) -> Iterator[Candidate]:
    sizes = [len(values) for values in pattern.values]
    if math.prod(sizes) * 2**pattern.clauses <= _ENUMERATED:
        listed = [
            Candidate(number, ranks, _dropped(kept))
            for ranks in product(*map(range, sizes))
            for kept in product((False, True), repeat=pattern.clauses)
        ]
        random.shuffle(listed)
        yield from (candidate for candidate in listed if space.sample(candidate) is not None)
        return
    seen: set[Candidate] = set()
    misses = 0
    while misses < _MOST_MISSES:
        ranks = tuple(random.randrange(size) for size in sizes)
        candidate = Candidate(
            number, ranks, _dropped([random.random() < 0.5 for _ in range(pattern.clauses)])
        )
        misses += 1
        if candidate not in seen and space.sample(candidate) is not None:
            misses = 0
            seen.add(candidate)
            yield candidate


def _dropped(kept: list[bool] | tuple[bool, ...]) -> frozenset[int]:
    return frozenset(number for number, keep in enumerate(kept) if not keep)
