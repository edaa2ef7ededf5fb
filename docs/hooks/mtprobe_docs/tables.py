"""What pages can ask for by `<!-- generated: NAME -->`."""

from __future__ import annotations

from collections.abc import Callable

from mtprobe_docs import options, python_api, record, verbs, vocabulary

TABLES: dict[str, Callable[[], str]] = {
    "options": options.options,
    "verbs": verbs.verbs,
    "verb-overview": verbs.overview,
    "methods": vocabulary.methods,
    "metrics": vocabulary.metrics,
    "formats": vocabulary.formats,
    "models": vocabulary.models,
    "record": record.record,
    "python-api": python_api.python_api,
    "extension-api": python_api.extension_api,
}
