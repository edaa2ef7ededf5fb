"""What an evaluator looks like to the rest of mtprobe."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias, TypeGuard, runtime_checkable

from mtprobe.errors import Failure

TokenLogProbs: TypeAlias = tuple[float, ...]
"""The natural log-probability of each target token, the end of the sentence included."""


class ScorePair(NamedTuple):
    """A target to be scored given a source."""

    source: str
    target: str


ScorePlace: TypeAlias = tuple[str, str, int]
"""Where a target is in a suite: its sample's id, its side, and which text of that side."""


@runtime_checkable
class Scorer(Protocol):
    """Gives each target token's log-probability; a score never depends on what else is scored."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever scores may change. Known before any weight is loaded."""

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """One result a pair, in order."""


@runtime_checkable
class StreamingScorer(Protocol):
    """A scorer that hands over scores as it has them, so that none is lost when it fails later on."""

    def stream_scores(
        self, pairs: Sequence[ScorePair]
    ) -> Generator[Mapping[int, TokenLogProbs | Failure], None, None]:
        """Some scores at a time, by the places of their pairs, in any order; each place once."""


def reads_sources(scorer: object) -> bool:
    """Whether scores depend on the source. A language model's do not: it says so with `reads_sources = False`."""
    return bool(getattr(scorer, "reads_sources", True))


def can_score(model: object) -> TypeGuard[Scorer]:
    """Whether a backend is a `Scorer`. `isinstance` would read its fingerprint, for which a service is asked."""
    return callable(getattr(model, "score", None))


def mean(logprobs: TokenLogProbs) -> float:
    """`score(y|x)`: the mean token log-probability."""
    return math.fsum(logprobs) / len(logprobs)
