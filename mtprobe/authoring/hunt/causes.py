"""The causes of failures: the parts of a failing sentence that cannot be removed without making it pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mtprobe.authoring.hunt.space import Candidate, Space
from mtprobe.methods.verdict import Result

TEMPLATE = "template"
_NEIGHBOURS = 3  # sentences that differ in one part, per part


@dataclass(frozen=True, slots=True)
class Cause:
    """Failing sentences with the same outcome and of the same group that have all of these parts fail for the same cause."""

    outcome: str
    group: tuple[tuple[str, str], ...]  # the category, the perturbation
    parts: tuple[tuple[str, str], ...] = ()  # slots with their values, the template

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in (*self.group, *self.parts)) or "any sentence"


def explains(cause: Cause, candidate: Candidate, result: Result, space: Space) -> bool:
    """Whether a failing sentence fails for this cause."""
    same = (result.verdict.outcome.value, space.group(candidate)) == (cause.outcome, cause.group)
    return same and set(cause.parts) <= set(space.features(candidate))


def cause_of(
    candidate: Candidate,
    result: Result,
    space: Space,
    results: Callable[[Sequence[Candidate]], Sequence[Result | None]],
    fails: Callable[[Result], bool],
) -> Cause:
    """A part belongs to the cause if most sentences that differ in it alone do not fail; `results` judges sentences."""
    pattern = space.patterns[candidate.pattern]
    outcome = result.verdict.outcome.value
    if pattern.single is not None:
        return Cause(outcome, space.group(candidate), tuple(space.features(candidate)))
    neighbours = {part: list(around) for part, around in _neighbours(candidate, result.category, space)}
    asked = [other for around in neighbours.values() for other in around]
    judged = dict(zip(asked, results(asked), strict=True))
    parts = []
    for part, around in neighbours.items():
        known = [fails(other) for one in around if (other := judged[one]) is not None]
        if known and sum(known) * 2 < len(known):
            parts.append(part)
    return Cause(outcome, space.group(candidate), tuple(parts))


def _neighbours(
    candidate: Candidate, category: str | None, space: Space
) -> Iterator[tuple[tuple[str, str], Iterator[Candidate]]]:
    """For each part, sentences of the same category that have another one in its place, the simplest first."""
    pattern = space.patterns[candidate.pattern]
    yield (TEMPLATE, pattern.title), _first(_with_other_pattern(candidate, category, space))
    for place, name in enumerate(pattern.slots):
        value = pattern.values[place][candidate.ranks[place]]
        yield (name, value.text), _first(_with_other_value(candidate, place, category, space))


def _with_other_pattern(candidate: Candidate, category: str | None, space: Space) -> Iterator[Candidate]:
    words = space.words(candidate)
    for number in space.related_patterns(candidate):
        every = frozenset(range(space.patterns[number].clauses))
        other = space.completed(number, words, category, every)
        if other is not None and space.words(other).items() & words.items():
            yield other


def _with_other_value(
    candidate: Candidate, place: int, category: str | None, space: Space
) -> Iterator[Candidate]:
    for rank in range(len(space.patterns[candidate.pattern].values[place])):
        if rank != candidate.ranks[place]:
            ranks = (*candidate.ranks[:place], rank, *candidate.ranks[place + 1 :])
            other = Candidate(candidate.pattern, ranks, candidate.dropped)
            sample = space.sample(other)
            if sample is not None and sample.category == category:
                yield other


def _first(candidates: Iterator[Candidate]) -> Iterator[Candidate]:
    for _, candidate in zip(range(_NEIGHBOURS), candidates, strict=False):
        yield candidate
