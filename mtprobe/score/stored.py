"""Scoring through the store: what is known is read, the rest is scored in chunks and kept at once."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.score.scorer import ScorePair, Scorer, TokenLogProbs
from mtprobe.store import Store

_CHUNK = 1024


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
    for start in range(0, len(missing), _CHUNK):
        chunk = missing[start : start + _CHUNK]
        made = scorer.score(chunk)
        if len(made) != len(chunk):
            raise ModelError(f"{scorer.fingerprint} gave {len(made)} scores for {len(chunk)} pairs")
        found.update(zip(chunk, made, strict=True))
        if store is not None:
            new = {pair: one for pair, one in zip(chunk, made, strict=True) if not isinstance(one, Failure)}
            store.add_scores(scorer.fingerprint, new)
        progress.advance(len(chunk))
    progress.done()
    return found
