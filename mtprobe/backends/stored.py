"""Translating and scoring through the store: what is known is read, the rest is made in chunks, checked and stored at once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import TypeVar

from mtprobe.backends import checked
from mtprobe.backends.ensemble import Ensemble, joined
from mtprobe.backends.guard import Ended, guarded
from mtprobe.backends.protocols import (
    Backend,
    Opened,
    Request,
    Streaming,
    as_request,
    inputs_for,
    runtime_of,
)
from mtprobe.backends.scorer import Attends, PlacesTokens, ScorePair, Scorer, StreamingScorer, TokenLogProbs
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.store import Spans, Store

Source = TypeVar("Source", str, Request)
Item = TypeVar("Item")
Result = TypeVar("Result")

_REQUESTS_PER_CALL = 512  # a backend may have a `chunk` of its own
PAIRS_PER_CALL = 1024  # enough for full batches of similar lengths, and a second or two of work


def translate_all(
    backend: Backend, sources: Sequence[Source], store: Store | None, progress: Progress
) -> dict[Source, str | Failure]:
    """The translation of each distinct source (a text or a request)."""
    keys = {source: as_request(source).key for source in sources}
    translations: dict[Source, str | Failure] = {}
    if store is not None:
        stored = stored_translations(backend, list(keys.values()), store)
        translations.update({source: stored[key] for source, key in keys.items() if key in stored})
    missing = [source for source in keys if source not in translations]
    progress.start("translating", len(missing))
    for new in translations_of(backend, missing):
        translations.update(new)
        if store is not None:
            successes = {keys[source]: text for source, text in new.items() if isinstance(text, str)}
            store.add_translations(fingerprint_of(backend), successes, _runtime(backend))
        progress.advance(len(new))
    progress.done()
    return translations


def stored_translations(backend: Opened, keys: Sequence[str], store: Store) -> dict[str, str]:
    """The translations that the store has, by the keys of their requests."""
    return checked.usable(store.translations(fingerprint_of(backend), keys), checked.translation)


def translations_of(backend: Backend, sources: Sequence[Source]) -> Iterator[dict[Source, str | Failure]]:
    """Translations of distinct sources, in portions, each of them checked."""
    if isinstance(backend, Streaming):
        inputs = inputs_for(backend, sources)
        yield from _by_item(
            backend,
            sources,
            lambda: backend.stream(inputs),
            partial(checked.of_source, backend),
            "sources got no translation",
        )
        return
    size = _chunk(backend)
    for start in range(0, len(sources), size):
        chunk = sources[start : start + size]
        inputs = inputs_for(backend, chunk)
        try:
            with guarded(backend):
                translations = checked.translations(backend, chunk, backend.translate(inputs))
        except Ended as error:
            translations = [Failure(str(error))] * len(chunk)
        yield dict(zip(chunk, translations, strict=True))


def score_all(
    scorer: Scorer, pairs: Sequence[ScorePair], store: Store | None, progress: Progress
) -> dict[ScorePair, TokenLogProbs | Failure]:
    """The token log-probabilities of each distinct pair."""
    distinct = list(dict.fromkeys(pairs))
    if isinstance(scorer, Ensemble):
        by_member = [score_all(member, distinct, store, progress) for member in scorer.members]
        return {pair: joined([scores[pair] for scores in by_member]) for pair in distinct}
    scores: dict[ScorePair, TokenLogProbs | Failure] = {}
    if store is not None:
        stored = checked.usable(store.scores(scoring_fingerprint_of(scorer), distinct), checked.logprobs)
        scores.update({ScorePair(*pair): logprobs for pair, logprobs in stored.items()})
    missing = [pair for pair in distinct if pair not in scores]
    progress.start("scoring", len(missing))
    for new in _scores_of(scorer, missing):
        scores.update(new)
        if store is not None:
            successes = {pair: values for pair, values in new.items() if not isinstance(values, Failure)}
            store.add_scores(scoring_fingerprint_of(scorer), successes, _runtime(scorer))
        progress.advance(len(new))
    progress.done()
    return scores


def _scores_of(
    scorer: Scorer, pairs: Sequence[ScorePair]
) -> Iterator[dict[ScorePair, TokenLogProbs | Failure]]:
    """Scores of distinct pairs, some at a time."""
    if isinstance(scorer, StreamingScorer):
        yield from _by_item(
            scorer,
            pairs,
            lambda: scorer.stream_scores(pairs),
            partial(checked.of_pair, scorer),
            "pairs got no score",
        )
        return
    stream = score_stream(scorer, pairs)
    while chunk := dict(islice(stream, PAIRS_PER_CALL)):
        yield chunk


def score_stream(
    scorer: Scorer, pairs: Iterable[ScorePair], chunk: int = PAIRS_PER_CALL
) -> Iterator[tuple[ScorePair, TokenLogProbs | Failure]]:
    """Each pair with its checked scores, in order. Pairs are consumed lazily, so the iterable may be infinite."""
    remaining = iter(pairs)
    while batch := list(islice(remaining, chunk)):
        try:
            with guarded(scorer):
                scores = checked.scores(scorer, batch, scorer.score(batch))
        except Ended as error:
            scores = [Failure(str(error))] * len(batch)
        yield from zip(batch, scores, strict=True)


def spans_of(scorer: PlacesTokens, texts: Iterable[str], store: Store | None) -> Mapping[str, Spans]:
    """The places of a scorer's tokens in each text; a text whose places are nonsense is missing.

    Through the store, so that a model all of whose scores are stored need not be loaded.
    """
    targets = list(texts)
    stored: dict[str, Spans] = {}
    if store is not None:
        for text, places in store.spans(scoring_fingerprint_of(scorer), targets).items():
            stored.update(checked.usable({text: places}, partial(checked.spans, text=text)))
    computed: dict[str, Spans] = {}
    for text in targets:
        if text not in stored:
            with guarded(scorer):
                places = scorer.target_spans(text)
            computed.update(checked.usable({text: places}, partial(checked.spans, text=text)))
    if store is not None and computed:
        store.add_spans(scoring_fingerprint_of(scorer), computed)
    return {**stored, **computed}


def scoring_fingerprint_of(model: Opened | Scorer | PlacesTokens | Attends) -> str:
    """The fingerprint by which scores are stored: without decoding options, where a model says so."""
    with guarded(model):
        fingerprint: object = getattr(model, "scoring_fingerprint", None)
    return fingerprint_of(model) if fingerprint is None else _checked_fingerprint(model, fingerprint)


def fingerprint_of(model: Opened | Scorer | PlacesTokens | Attends) -> str:
    """The fingerprint, by which outputs are stored."""
    with guarded(model):
        fingerprint: object = model.fingerprint
    return _checked_fingerprint(model, fingerprint)


def _checked_fingerprint(model: object, fingerprint: object) -> str:
    if not isinstance(fingerprint, str) or not fingerprint:
        raise ModelError(f"the fingerprint of {type(model).__name__} is {fingerprint!r}; it must be a text")
    return fingerprint


def _runtime(model: object) -> str:
    with guarded(model):
        return runtime_of(model)


def _chunk(backend: object) -> int:
    """How many sources the backend takes per call."""
    size = getattr(backend, "chunk", _REQUESTS_PER_CALL)
    if not isinstance(size, int) or size < 1:
        raise ModelError(f"`chunk` of {checked.name_of(backend)} is {size!r}; it must be a number of sources")
    return size


def _by_item(
    backend: object,
    items: Sequence[Item],
    start: Callable[[], Iterable[Mapping[int, object]]],
    check: Callable[[Item, object], Result | Failure],
    lacking: str,
) -> Iterator[dict[Item, Result | Failure]]:
    """The checked results of a stream by item instead of index; items that get none are an error."""
    missing = dict.fromkeys(range(len(items)))
    try:
        with closing(_guarded_stream(backend, start)) as stream:
            for results in stream:
                new: dict[Item, Result | Failure] = {}
                for index, result in results.items():
                    if isinstance(index, bool) or index not in missing:
                        raise ModelError(
                            f"the stream of {checked.name_of(backend)} yielded the index {index!r} of {len(items)}, "
                            "which is out of range or came twice"
                        )
                    del missing[index]
                    new[items[index]] = check(items[index], result)
                yield new
    except Ended as error:
        yield {items[index]: Failure(str(error)) for index in missing}
        return
    if missing:
        raise ModelError(f"{len(missing)} of {len(items)} {lacking}")


def _guarded_stream(
    backend: object, start: Callable[[], Iterable[Mapping[int, object]]]
) -> Generator[Mapping[int, object], None, None]:
    """The results of a stream, which is closed at the end in any case."""
    with guarded(backend):
        stream = start()
        if not isinstance(stream, Iterable):
            raise ModelError(f"the stream of {checked.name_of(backend)} is a {type(stream).__name__}")
        remaining = iter(stream)
    try:
        while True:
            with guarded(backend):
                results = next(remaining, None)
            if results is None:
                return
            if not isinstance(results, Mapping):
                raise ModelError(
                    f"the stream of {checked.name_of(backend)} yielded a {type(results).__name__}; "
                    "it must yield results by index"
                )
            yield results
    finally:
        close: Callable[[], object] = getattr(stream, "close", lambda: None)
        close()
