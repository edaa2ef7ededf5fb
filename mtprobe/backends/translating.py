"""Translating through the store: known translations are read, the others are made in chunks and stored at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TypeVar

from mtprobe.backends.protocols import Backend, Streaming
from mtprobe.backends.request import Request, as_request, inputs_for
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.store import Store

Source = TypeVar("Source", str, Request)

_CHUNK = 512  # requests per call; a backend may have a `chunk` of its own


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
            store.add_translations(backend.fingerprint, successes)
        progress.advance(len(new))
    progress.done()
    return translations


def translations_of(backend: Backend, sources: Sequence[Source]) -> Iterator[dict[Source, str | Failure]]:
    """Translations of distinct sources, some at a time."""
    if isinstance(backend, Streaming):
        yield from _streamed(backend, sources)
        return
    size = getattr(backend, "chunk", _CHUNK)
    for start in range(0, len(sources), size):
        chunk = sources[start : start + size]
        translations = backend.translate(inputs_for(backend, chunk))
        if len(translations) != len(chunk):
            raise ModelError(
                f"{backend.fingerprint} returned {len(translations)} translations for {len(chunk)} sources"
            )
        yield dict(zip(chunk, translations, strict=True))


def _streamed(backend: Streaming, sources: Sequence[Source]) -> Iterator[dict[Source, str | Failure]]:
    missing = dict.fromkeys(sources)
    with closing(backend.stream(inputs_for(backend, sources))) as stream:
        for translations in stream:
            new = {sources[index]: text for index, text in translations.items()}
            for source in new:
                del missing[source]
            yield new
    if missing:
        raise ModelError(f"{len(missing)} of {len(sources)} sources got no translation")
