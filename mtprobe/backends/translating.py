"""Translating through the store: what is known is read, the rest is translated in chunks and kept at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from mtprobe.backends.protocols import Backend, Streaming
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.store import Store

_CHUNK = 512  # sources a call; a backend may have a `chunk` of its own


def translate_all(
    backend: Backend, sources: Sequence[str], store: Store | None, progress: Progress
) -> dict[str, str | Failure]:
    """The translation of each distinct source."""
    distinct = list(dict.fromkeys(sources))
    found: dict[str, str | Failure] = {}
    if store is not None:
        found.update(store.translations(backend.fingerprint, distinct))
    missing = [source for source in distinct if source not in found]
    progress.start("translating", len(missing))
    for new in translations_of(backend, missing):
        found.update(new)
        if store is not None:
            kept = {source: text for source, text in new.items() if isinstance(text, str)}
            store.add_translations(backend.fingerprint, kept)
        progress.advance(len(new))
    progress.done()
    return found


def translations_of(backend: Backend, sources: Sequence[str]) -> Iterator[dict[str, str | Failure]]:
    """Translations of distinct sources, some at a time."""
    if isinstance(backend, Streaming):
        yield from _streamed(backend, sources)
        return
    size = getattr(backend, "chunk", _CHUNK)
    for start in range(0, len(sources), size):
        chunk = sources[start : start + size]
        made = backend.translate(chunk)
        if len(made) != len(chunk):
            raise ModelError(f"{backend.fingerprint} gave {len(made)} translations for {len(chunk)} sources")
        yield dict(zip(chunk, made, strict=True))


def _streamed(backend: Streaming, sources: Sequence[str]) -> Iterator[dict[str, str | Failure]]:
    missing = dict.fromkeys(sources)
    with closing(backend.stream(sources)) as stream:
        for some in stream:
            new = {sources[place]: text for place, text in some.items()}
            for source in new:
                del missing[source]
            yield new
    if missing:
        raise ModelError(f"{len(missing)} of {len(sources)} sources were left without a translation")
