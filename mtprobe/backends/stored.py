"""Translating and scoring through the store: what is known is read, the rest is made in chunks and stored at once."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from typing import TypeVar

from mtprobe.backends.protocols import Backend, Request, Streaming, as_request, inputs_for, runtime_of
from mtprobe.backends.scorer import ScorePair, Scorer, StreamingScorer, TokenLogProbs
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.store import Store

Source = TypeVar("Source", str, Request)
Item = TypeVar("Item")
Result = TypeVar("Result")

_REQUESTS_PER_CALL = 512  # a backend may have a `chunk` of its own
PAIRS_PER_CALL = 1024  # enough for full batches of similar lengths, and a second or two of work


def translate_all(
    backend: Backend, sources: Sequence[Source], store: Store | None, progress: Progress
) -> dict[Source, str | Failure]:
    """The translation of each distinct source, which is a text or a request."""
    keys = {source: as_request(source).key for source in sources}
    translations: dict[Source, str | Failure] = {}
    if store is not None:
        stored = store.translations(backend.fingerprint, list(keys.values()))
        translations.update({source: stored[key] for source, key in keys.items() if key in stored})
    missing = [source for source in keys if source not in translations]
    progress.start("translating", len(missing))
    for new in translations_of(backend, missing):
        translations.update(new)
        if store is not None:
            successes = {keys[source]: text for source, text in new.items() if isinstance(text, str)}
            store.add_translations(backend.fingerprint, successes, runtime_of(backend))
        progress.advance(len(new))
    progress.done()
    return translations


def translations_of(backend: Backend, sources: Sequence[Source]) -> Iterator[dict[Source, str | Failure]]:
    """Translations of distinct sources, some at a time."""
    if isinstance(backend, Streaming):
        yield from _by_item(
            sources, backend.stream(inputs_for(backend, sources)), "sources got no translation"
        )
        return
    size = getattr(backend, "chunk", _REQUESTS_PER_CALL)
    for start in range(0, len(sources), size):
        chunk = sources[start : start + size]
        translations = backend.translate(inputs_for(backend, chunk))
        if len(translations) != len(chunk):
            raise ModelError(
                f"{backend.fingerprint} returned {len(translations)} translations for {len(chunk)} sources"
            )
        yield dict(zip(chunk, translations, strict=True))


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
            store.add_scores(scorer.fingerprint, successes, runtime_of(scorer))
        progress.advance(len(new))
    progress.done()
    return scores


def _scores_of(
    scorer: Scorer, pairs: Sequence[ScorePair]
) -> Iterator[dict[ScorePair, TokenLogProbs | Failure]]:
    """Scores of distinct pairs, some at a time."""
    if isinstance(scorer, StreamingScorer):
        yield from _by_item(pairs, scorer.stream_scores(pairs), "pairs got no score")
        return
    stream = score_stream(scorer, pairs)
    while chunk := dict(islice(stream, PAIRS_PER_CALL)):
        yield chunk


def score_stream(
    scorer: Scorer, pairs: Iterable[ScorePair], chunk: int = PAIRS_PER_CALL
) -> Iterator[tuple[ScorePair, TokenLogProbs | Failure]]:
    """Each pair with its scores, in order. Takes pairs only as needed, so the iterable may be endless."""
    remaining = iter(pairs)
    while batch := list(islice(remaining, chunk)):
        scores = scorer.score(batch)
        if len(scores) != len(batch):
            raise ModelError(f"{scorer.fingerprint} returned {len(scores)} scores for {len(batch)} pairs")
        yield from zip(batch, scores, strict=True)


def _by_item(
    items: Sequence[Item], stream: Generator[Mapping[int, Result], None, None], lacking: str
) -> Iterator[dict[Item, Result]]:
    """The results of a stream by item instead of index; items that get none are an error."""
    missing = dict.fromkeys(items)
    with closing(stream):
        for results in stream:
            new = {items[index]: result for index, result in results.items()}
            for item in new:
                del missing[item]
            yield new
    if missing:
        raise ModelError(f"{len(missing)} of {len(items)} {lacking}")
