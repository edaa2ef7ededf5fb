"""What a backend is asked to translate: a text, which may come with context and a repeat number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class Request:
    """One text to translate."""

    text: str
    context: tuple[str, ...] = ()  # the source sentences before the text, in order
    repeat: int = 0  # counts further translations of the same text, for models that sample

    @property
    def key(self) -> str:
        """Identifies the request in the store: the text itself, unless there is more to the request.

        No source text starts with NUL, so the two forms cannot be confused.
        """
        if not self.context and not self.repeat:
            return self.text
        return "\0" + json.dumps([self.text, self.context, self.repeat])


def as_request(source: str | Request) -> Request:
    return Request(source) if isinstance(source, str) else source


def takes_requests(backend: object) -> bool:
    """Whether its `translate` takes `Request`s; without `takes_requests = True` it takes strings."""
    return bool(getattr(backend, "takes_requests", False))


def inputs_for(backend: object, sources: Sequence[str | Request]) -> list[Any]:
    """The sources in the form that the backend's methods take: requests or strings.

    Strings have no context, so a backend that takes them cannot be asked for a translation in context.
    """
    requests = [as_request(source) for source in sources]
    if takes_requests(backend):
        return requests
    if any(request.context for request in requests):
        raise ModelError(f"{getattr(backend, 'fingerprint', backend)} cannot translate in context")
    return [request.text for request in requests]
