"""Scores of pairs as they come: a million pairs are never in memory together, nor are their results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from mtprobe.backends.scorer import ScorePair, Scorer, TokenLogProbs
from mtprobe.errors import Failure, ModelError

CHUNK = 1024  # pairs: enough for full batches of like lengths, and a second or two of a model's time


def score_stream(
    scorer: Scorer, pairs: Iterable[ScorePair], chunk: int = CHUNK
) -> Iterator[tuple[ScorePair, TokenLogProbs | Failure]]:
    """Each pair with its result, in order. Takes pairs as it needs them, so they may be endless."""
    waiting = iter(pairs)
    while some := list(islice(waiting, chunk)):
        made = scorer.score(some)
        if len(made) != len(some):
            raise ModelError(f"{scorer.fingerprint} gave {len(made)} scores for {len(some)} pairs")
        yield from zip(some, made, strict=True)
