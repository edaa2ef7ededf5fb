"""Translating through the store: what is known is read, the rest is translated in chunks and kept at once."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.store import Store
from mtprobe.translate.backend import Backend

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
    size = getattr(backend, "chunk", _CHUNK)
    progress.start("translating", len(missing))
    for start in range(0, len(missing), size):
        chunk = missing[start : start + size]
        made = backend.translate(chunk)
        if len(made) != len(chunk):
            raise ModelError(f"{backend.fingerprint} gave {len(made)} translations for {len(chunk)} sources")
        found.update(zip(chunk, made, strict=True))
        if store is not None:
            new = {source: text for source, text in zip(chunk, made, strict=True) if isinstance(text, str)}
            store.add_translations(backend.fingerprint, new)
        progress.advance(len(chunk))
    progress.done()
    return found
