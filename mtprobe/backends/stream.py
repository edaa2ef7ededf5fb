"""Scoring as a stream: a million pairs are never in memory together, nor are their scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from mtprobe.backends.scorer import ScorePair, Scorer, TokenLogProbs
from mtprobe.errors import Failure, ModelError

CHUNK = 1024  # pairs: enough for full batches of similar lengths, and a second or two of work


def score_stream(
    scorer: Scorer, pairs: Iterable[ScorePair], chunk: int = CHUNK
) -> Iterator[tuple[ScorePair, TokenLogProbs | Failure]]:
    """Each pair with its scores, in order. Takes pairs only as needed, so the iterable may be endless."""
    remaining = iter(pairs)
    while batch := list(islice(remaining, chunk)):
        scores = scorer.score(batch)
        if len(scores) != len(batch):
            raise ModelError(f"{scorer.fingerprint} returned {len(scores)} scores for {len(batch)} pairs")
        yield from zip(batch, scores, strict=True)
