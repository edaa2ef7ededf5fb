"""Gets many translations from a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mtprobe.backends import HIDDEN, Failure, Request, is_encodable
from mtprobe_http.batches import Text, batches, sort_out
from mtprobe_http.engine import Engine
from mtprobe_http.service import Call
from mtprobe_http.transport import Transport

_REPEATS_KEY = Failure("the answer repeated the API key")


class Translating(Engine[Text, str]):
    """One stream of sentences through one service."""

    async def translate(
        self, sources: Sequence[str | Request], deliver: Callable[[Mapping[int, str | Failure]], None]
    ) -> None:
        """Delivers every translation as soon as it arrives; raises a fatal error at the end."""
        texts, settled = sort_out(sources, self._settings.limits)
        if settled:
            deliver(settled)
        async with Transport(self._service, self._settings) as transport:
            await self._work(batches(texts, self._settings.limits), transport, deliver)
        self._raise_fatal()

    def _call(self, batch: Sequence[Text]) -> Call:
        return self._service.call_again([text.text for text in batch], batch[0].repeat)

    def _read(self, content: Any, batch: Sequence[Text], *, repeats_key: bool) -> list[str | Failure]:
        translations = self._service.read(content, [text.text for text in batch])
        return [
            _REPEATS_KEY if repeats_key and _has_marker(text) else _checked(text) for text in translations
        ]


def _checked(text: str | Failure) -> str | Failure:
    """A translation that cannot be encoded is a failure."""
    if isinstance(text, str) and not is_encodable(text):
        return Failure("the service's answer contains a lone surrogate")
    return text


def _has_marker(text: str | Failure) -> bool:
    return isinstance(text, str) and HIDDEN in text
