"""Makes a failing sentence smaller with hypothesis: every step is a sentence that the suite's templates can make.

A sentence is drawn as a row of yes-or-no choices, all "no" being the simplest: how short a pattern, which optional
clauses it keeps, and how simple a value each slot has. So hypothesis' own shrinker tries shorter patterns first, then
drops clauses, then simplifies values. Nothing but yes or no is drawn, since hypothesis mixes numbers with constants
that it finds in modules, and the same seed would not always lead to the same sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from mtprobe.authoring.hunt.space import Candidate, Space
from mtprobe.errors import MtprobeError

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LIKELY = 6  # further choices per number: at random, 63 of 64 numbers are the largest, as the failing sentence has it
_DRAWS = 60  # before giving up on drawing the failing sentence itself
_MOST_ROUNDS = 20


class _Ended(BaseException):
    """Carries an error through hypothesis, which takes any `Exception` for a failing test."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def check_installed() -> None:
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        raise MtprobeError('a hunt needs hypothesis: pip install "mtprobe[hunt]"') from None


def shrink(space: Space, failing: Candidate, fails: Callable[[Candidate], bool], seed: int) -> Candidate:
    """The smallest sentence that hypothesis finds for which `fails` holds as well.

    `fails` must give the same answer each time, and may ask a model when it is asked first. Hypothesis stops after some
    minutes, so it starts again from what it has found until it finds nothing smaller.
    """
    for _ in range(_MOST_ROUNDS):
        smaller = _shrunk(space, failing, fails, seed)
        if smaller is None or space.size(smaller) >= space.size(failing):
            return failing
        failing = smaller
    return failing


def _shrunk(
    space: Space, failing: Candidate, fails: Callable[[Candidate], bool], seed: int
) -> Candidate | None:
    from hypothesis import HealthCheck, Phase, Verbosity, find, settings
    from hypothesis.errors import NoSuchExample

    def holds(candidate: Candidate | None) -> bool:
        try:
            return candidate is not None and fails(candidate)
        except Exception as error:
            raise _Ended(error) from error

    chosen = settings(
        max_examples=_DRAWS,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
        report_multiple_bugs=False,
    )
    try:
        return find(
            sentences_up_to(space, failing),
            holds,
            settings=chosen,
            random=Random(seed),  # noqa: S311 - no secret
        )
    except NoSuchExample:
        return None
    except _Ended as ended:
        raise ended.error from None


def sentences_up_to(space: Space, failing: Candidate) -> SearchStrategy[Candidate | None]:
    """This sentence and simpler ones of the same category; None where the choices make no sentence."""
    from hypothesis import strategies

    yes_or_no = strategies.booleans()
    sample = space.sample(failing)
    category = sample.category if sample else None
    pattern = space.patterns[failing.pattern]
    patterns = [*space.shorter_patterns(failing), failing.pattern]
    optional = [number for number in range(pattern.clauses) if number not in failing.dropped]

    @strategies.composite
    def sentences(draw: Callable[[SearchStrategy[bool]], bool]) -> Candidate | None:
        def number(most: int) -> int:
            value = 0
            for _ in range(_LIKELY + most.bit_length() if most else 0):
                value = 2 * value + draw(yes_or_no)
            return min(value, most)

        which = patterns[number(len(patterns) - 1)]
        dropped = failing.dropped | {clause for clause in optional if not number(1)}
        ranks = tuple(number(rank) for rank in failing.ranks)
        if which == failing.pattern:
            candidate: Candidate | None = Candidate(which, ranks, dropped)
        else:
            simplified = {
                name: values[rank].text
                for name, values, rank in zip(pattern.slots, pattern.values, ranks, strict=True)
            }
            every = frozenset(range(space.patterns[which].clauses))
            candidate = space.completed(which, simplified, category, every)
        return candidate if candidate is not None and space.sample(candidate) is not None else None

    strategy: Any = sentences()
    made: SearchStrategy[Candidate | None] = strategy
    return made
