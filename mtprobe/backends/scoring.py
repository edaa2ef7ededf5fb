"""Scoring through the store: what is known is read, the rest is scored in chunks and kept at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice

from mtprobe.backends.scorer import ScorePair, Scorer, StreamingScorer, TokenLogProbs
from mtprobe.backends.stream import CHUNK, score_stream
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.store import Store


def score_all(
    scorer: Scorer, pairs: Sequence[ScorePair], store: Store | None, progress: Progress
) -> dict[ScorePair, TokenLogProbs | Failure]:
    """The token log-probabilities of each distinct pair."""
    distinct = list(dict.fromkeys(pairs))
    found: dict[ScorePair, TokenLogProbs | Failure] = {}
    if store is not None:
        known = store.scores(scorer.fingerprint, distinct)
        found.update({ScorePair(*pair): logprobs for pair, logprobs in known.items()})
    missing = [pair for pair in distinct if pair not in found]
    progress.start("scoring", len(missing))
    for new in _made(scorer, missing):
        found.update(new)
        if store is not None:
            kept = {pair: one for pair, one in new.items() if not isinstance(one, Failure)}
            store.add_scores(scorer.fingerprint, kept)
        progress.advance(len(new))
    progress.done()
    return found


def _made(scorer: Scorer, pairs: Sequence[ScorePair]) -> Iterator[dict[ScorePair, TokenLogProbs | Failure]]:
    """Scores of distinct pairs, some at a time."""
    if isinstance(scorer, StreamingScorer):
        yield from _streamed(scorer, pairs)
        return
    stream = score_stream(scorer, pairs)
    while some := dict(islice(stream, CHUNK)):
        yield some


def _streamed(
    scorer: StreamingScorer, pairs: Sequence[ScorePair]
) -> Iterator[dict[ScorePair, TokenLogProbs | Failure]]:
    missing = dict.fromkeys(pairs)
    with closing(scorer.stream_scores(pairs)) as stream:
        for some in stream:
            new = {pairs[place]: one for place, one in some.items()}
            for pair in new:
                del missing[pair]
            yield new
    if missing:
        raise ModelError(f"{len(missing)} of {len(pairs)} pairs were left without a score")
