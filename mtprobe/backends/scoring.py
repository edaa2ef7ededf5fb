"""Scoring through the store: known scores are read, the others are made in chunks and stored at once."""

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
    scores: dict[ScorePair, TokenLogProbs | Failure] = {}
    if store is not None:
        stored = store.scores(scorer.fingerprint, distinct)
        scores.update({ScorePair(*pair): logprobs for pair, logprobs in stored.items()})
    missing = [pair for pair in distinct if pair not in scores]
    progress.start("scoring", len(missing))
    for new in _scores_of(scorer, missing):
        scores.update(new)
        if store is not None:
            successes = {pair: values for pair, values in new.items() if not isinstance(values, Failure)}
            store.add_scores(scorer.fingerprint, successes)
        progress.advance(len(new))
    progress.done()
    return scores


def _scores_of(
    scorer: Scorer, pairs: Sequence[ScorePair]
) -> Iterator[dict[ScorePair, TokenLogProbs | Failure]]:
    """Scores of distinct pairs, some at a time."""
    if isinstance(scorer, StreamingScorer):
        yield from _streamed(scorer, pairs)
        return
    stream = score_stream(scorer, pairs)
    while chunk := dict(islice(stream, CHUNK)):
        yield chunk


def _streamed(
    scorer: StreamingScorer, pairs: Sequence[ScorePair]
) -> Iterator[dict[ScorePair, TokenLogProbs | Failure]]:
    missing = dict.fromkeys(pairs)
    with closing(scorer.stream_scores(pairs)) as stream:
        for scores in stream:
            new = {pairs[index]: values for index, values in scores.items()}
            for pair in new:
                del missing[pair]
            yield new
    if missing:
        raise ModelError(f"{len(missing)} of {len(pairs)} pairs got no score")
