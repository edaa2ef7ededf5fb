"""Attention through the store: known results are read, missing ones are requested in chunks, checked and stored at once."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.backends import checked
from mtprobe.backends.guard import Ended, guarded
from mtprobe.backends.protocols import runtime_of
from mtprobe.backends.scorer import Attends, SpanPair, TokenAttention
from mtprobe.backends.stored import PAIRS_PER_CALL, scoring_fingerprint_of
from mtprobe.errors import Failure
from mtprobe.progress import Progress
from mtprobe.store import Store


def attention_of(
    scorer: Attends, pairs: Sequence[SpanPair], store: Store | None, progress: Progress
) -> dict[SpanPair, TokenAttention | Failure]:
    """The attention of each distinct pair, through the store."""
    distinct = list(dict.fromkeys(pairs))
    attention: dict[SpanPair, TokenAttention | Failure] = {}
    if store is not None:
        stored = checked.usable(store.attention(scoring_fingerprint_of(scorer), distinct), checked.attention)
        attention.update({SpanPair(*pair): values for pair, values in stored.items()})
    missing = [pair for pair in distinct if pair not in attention]
    progress.start("aligning", len(missing))
    for start in range(0, len(missing), PAIRS_PER_CALL):
        chunk = missing[start : start + PAIRS_PER_CALL]
        try:
            with guarded(scorer):
                values = checked.attentions(scorer, chunk, scorer.attention(chunk))
                runtime = runtime_of(scorer)
        except Ended as error:
            values, runtime = [Failure(str(error))] * len(chunk), ""
        attention.update(zip(chunk, values, strict=True))
        if store is not None:
            new = zip(chunk, values, strict=True)
            successes = {pair: numbers for pair, numbers in new if not isinstance(numbers, Failure)}
            store.add_attention(scoring_fingerprint_of(scorer), successes, runtime)
        progress.advance(len(chunk))
    progress.done()
    return attention
