"""Scoring through the store: what is known is read, the rest is scored in chunks and kept at once."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.errors import Failure
from mtprobe.progress import Progress
from mtprobe.score.scorer import ScorePair, Scorer, TokenLogProbs
from mtprobe.score.stream import CHUNK, score_stream
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
    new: dict[ScorePair, TokenLogProbs] = {}
    for number, (pair, one) in enumerate(score_stream(scorer, missing), start=1):
        found[pair] = one
        if not isinstance(one, Failure):
            new[pair] = one
        if number % CHUNK == 0 or number == len(missing):
            if store is not None:
                store.add_scores(scorer.fingerprint, new)
            progress.advance(number % CHUNK or CHUNK)
            new = {}
    progress.done()
    return found
