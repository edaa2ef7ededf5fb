"""The differences between two readings, in segments between shared words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mtprobe.language.comparison.reading import Reading, Word

Same = Callable[[Word, Word], bool]

_NEAR = 2  # shared words between two segments that may be one


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of each reading that have no counterpart in the other, between two that have."""

    first: tuple[Word, ...]
    second: tuple[Word, ...]

    @property
    def size(self) -> int:
        return max(len(self.first), len(self.second))

    def completes(self, other: Segment) -> bool:
        """Whether one has words of the first reading only and the other of the second: *gato velho*, *velho lobo*."""
        return (not self.second and not other.first) or (not self.first and not other.second)

    def __add__(self, other: Segment) -> Segment:
        return Segment(self.first + other.first, self.second + other.second)

    def __str__(self) -> str:
        one, other = (" ".join(word.text for word in side) for side in (self.first, self.second))
        return f"“{one or '–'}” / “{other or '–'}”"


@dataclass(frozen=True, slots=True)
class Comparison:
    segments: tuple[Segment, ...]  # in order; none: the same content
    pairs: tuple[tuple[Word, Word], ...]  # words of content that both have

    @property
    def shared(self) -> int:
        return len(self.pairs)

    @property
    def first(self) -> tuple[Word, ...]:
        return tuple(word for segment in self.segments for word in segment.first)

    @property
    def second(self) -> tuple[Word, ...]:
        return tuple(word for segment in self.segments for word in segment.second)


def compare(first: Reading, second: Reading, same: Same) -> Comparison:
    """The content of two sentences of one language, aligned in order; words that only moved are no difference."""
    return compare_words(first.content, second.content, same)


def compare_words(one: Sequence[Word], other: Sequence[Word], same: Same) -> Comparison:
    pairs = _aligned(one, other, same)
    moved = _moved(one, other, pairs, same)
    moved_one, moved_other = set(moved), set(moved.values())
    segments: list[Segment] = []
    before, since = (-1, -1), _NEAR + 1  # shared words since the last segment
    for pair in [*pairs, (len(one), len(other))]:
        left = tuple(one[i] for i in range(before[0] + 1, pair[0]) if i not in moved_one)
        right = tuple(other[j] for j in range(before[1] + 1, pair[1]) if j not in moved_other)
        if left or right:
            segment = Segment(left, right)
            if since <= _NEAR and segments[-1].completes(segment):
                segment = segments.pop() + segment
            segments.append(segment)
            since = 0
        before = pair
        since += 1
    matched = ((one[i], other[j]) for i, j in (*pairs, *moved.items()))
    return Comparison(tuple(segments), tuple(matched))


def _aligned(one: Sequence[Word], other: Sequence[Word], same: Same) -> list[tuple[int, int]]:
    """A longest common subsequence of words that are the same."""
    n, m = len(one), len(other)
    length = [[0] * (m + 1) for _ in range(n + 1)]
    alike = [[same(mine, theirs) for theirs in other] for mine in one]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            longest = max(length[i + 1][j], length[i][j + 1])
            length[i][j] = max(longest, length[i + 1][j + 1] + 1) if alike[i][j] else longest
    pairs = []
    i = j = 0
    while i < n and j < m:
        if alike[i][j] and length[i][j] == length[i + 1][j + 1] + 1:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _moved(
    one: Sequence[Word], other: Sequence[Word], pairs: Sequence[tuple[int, int]], same: Same
) -> dict[int, int]:
    """Words that both have, in another order: places in `one` with those in `other`."""
    taken_one, taken_other = {i for i, _ in pairs}, {j for _, j in pairs}
    moved: dict[int, int] = {}
    for i in range(len(one)):
        if i in taken_one:
            continue
        for j in range(len(other)):
            if j not in taken_other and j not in moved.values() and same(one[i], other[j]):
                moved[i] = j
                break
    return moved
