"""The interface between mtprobe and a model that scores."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, Protocol, TypeAlias, TypeGuard, runtime_checkable

from mtprobe.errors import Failure

TokenLogProbs: TypeAlias = tuple[float, ...]
"""The natural log-probability of each target token, including the end of the sentence."""

TokenAttention: TypeAlias = tuple[float, ...]
"""How much of its attention each scored target token pays to a span of the source, 0 to 1; one number per token."""


class ScorePair(NamedTuple):
    """A target to be scored given a source."""

    source: str
    target: str


class SpanPair(NamedTuple):
    """A target, its source, and a span of the source in characters."""

    source: str
    target: str
    start: int
    end: int


ScorePlace: TypeAlias = tuple[str, str, int]
"""Where a target is in a suite: its sample's id, its side, and its index on that side."""


@runtime_checkable
class Scorer(Protocol):
    """Provides the log-probability of each target token; a score never depends on what else is scored."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever scores may change. Known before any weight is loaded.

        A model that also translates may have a `scoring_fingerprint` for what its decoding options do not change.
        """

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """One result per pair, in order."""


@runtime_checkable
class StreamingScorer(Protocol):
    """A scorer that yields scores as they are ready; a later error loses none of them."""

    def stream_scores(
        self, pairs: Sequence[ScorePair]
    ) -> Generator[Mapping[int, TokenLogProbs | Failure], None, None]:
        """Yields scores by the index of their pair, in any order, each once."""


@runtime_checkable
class PlacesTokens(Protocol):
    """A scorer that knows where in a target its tokens are."""

    @property
    def fingerprint(self) -> str: ...

    def target_spans(self, text: str) -> Sequence[tuple[int, int] | None]:
        """One span per scored token; None for a token without text, such as the end of the sentence."""


@runtime_checkable
class Attends(Protocol):
    """A scorer that knows which tokens of a target translate a part of its source, as by its cross-attention."""

    @property
    def fingerprint(self) -> str: ...

    def attention(self, pairs: Sequence[SpanPair]) -> list[TokenAttention | Failure]:
        """One result per pair, in order; it never depends on what else is asked. Each has as many numbers as `score` has."""


@runtime_checkable
class PricedScorer(Protocol):
    """A scorer that may cost money. What there is to score is known only during the run."""

    def hold_budget(self, dollars: float) -> None:
        """From now on, scores that would cost more than this altogether are a `ModelError`, before they are made."""


def reads_sources(scorer: object) -> bool:
    """Whether scores depend on the source. Language models set `reads_sources = False`."""
    return bool(getattr(scorer, "reads_sources", True))


def can_score(model: object) -> TypeGuard[Scorer]:
    """Whether it is a `Scorer`. `isinstance` would read the fingerprint, which may query a service."""
    return callable(getattr(model, "score", None))


def takes_context(scorer: object) -> bool:
    """Whether it can score a target given a source in context: it has `in_context(context, text)`, the source to score with."""
    return callable(getattr(scorer, "in_context", None))


def can_attend(model: object) -> TypeGuard[Attends]:
    """Whether it is an `Attends`."""
    return callable(getattr(model, "attention", None))


def holds_budget(model: object) -> TypeGuard[PricedScorer]:
    """Whether it is a `PricedScorer`."""
    return callable(getattr(model, "hold_budget", None))


class JoinedLogProbs(tuple[float, ...]):
    """The log-probabilities of a target by several scorers, those of one after those of another."""

    ends: tuple[int, ...]  # where those of each scorer end

    @classmethod
    def of(cls, scores: Sequence[TokenLogProbs]) -> JoinedLogProbs:
        joined = cls(value for score in scores for value in score)
        joined.ends = tuple(accumulate(map(len, scores)))
        return joined

    @property
    def by_token(self) -> TokenLogProbs:
        """The mean of the scorers for each token, if they have equally many; otherwise nothing."""
        size = self.ends[0]
        if any(end != size * place for place, end in enumerate(self.ends, start=1)):
            return ()
        return tuple(math.fsum(self[place::size]) / len(self.ends) for place in range(size))


def mean(logprobs: TokenLogProbs, tokens: Sequence[int] = ()) -> float:
    """`score(y|x)`: the mean token log-probability; of these tokens only, if any are given.

    Of several scorers, the mean of what each of them says.
    """
    values = means(logprobs, tokens)
    return values[0] if len(values) == 1 else math.fsum(values) / len(values)


def means(logprobs: TokenLogProbs, tokens: Sequence[int] = ()) -> tuple[float, ...]:
    """The mean of each scorer, if they are several; otherwise the only one."""
    ends = logprobs.ends if isinstance(logprobs, JoinedLogProbs) else (len(logprobs),)
    values = []
    for start, end in zip((0, *ends), ends, strict=False):
        chosen = (
            [logprobs[token] for token in tokens if start <= token < end] if tokens else logprobs[start:end]
        )
        values.append(math.fsum(chosen) / len(chosen))
    return tuple(values)


def sums(logprobs: TokenLogProbs) -> tuple[float, ...]:
    """The sum of each scorer, if they are several; otherwise the only one."""
    ends = logprobs.ends if isinstance(logprobs, JoinedLogProbs) else (len(logprobs),)
    return tuple(math.fsum(logprobs[start:end]) for start, end in zip((0, *ends), ends, strict=False))
