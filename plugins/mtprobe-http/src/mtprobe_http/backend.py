"""A translation service as a backend."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from mtprobe.backends import (
    LOGGER,
    Estimate,
    Failure,
    LanguagePair,
    ModelError,
    OpenRequest,
    Request,
    as_request,
)
from mtprobe_http.background import delivered
from mtprobe_http.clock import Clock
from mtprobe_http.service import Service
from mtprobe_http.settings import Settings, is_here
from mtprobe_http.translating import Translating

MACHINERY = "v1"  # raise it with every change after which a translation may differ


class HttpBackend:
    """Opens no connection before the first translation, except to ask a service for its version."""

    stays_here = "one process has to keep the service's rate limits, and has the key"
    takes_requests: Literal[True] = True  # for the number of the repeat
    uses_context = False

    def __init__(
        self, service: Service, settings: Settings, languages: LanguagePair, clock: Clock | None = None
    ) -> None:
        self.languages = languages
        self.settings = settings
        self._service = service
        self.clock = clock or Clock()
        self._stated: set[str] = set()

    @cached_property
    def fingerprint(self) -> str:
        """The service, its address, its options, and its version if it states one."""
        return self._identity(self._service, MACHINERY)

    @cached_property
    def _version(self) -> str:
        given = self.settings.version
        return given if given is not None else self._query_version()

    def _identity(self, service: Service, machinery: str) -> str:
        place = hashlib.sha256(self.settings.url.encode()).hexdigest()[:8]
        parts = [service.kind, place, service.model, self._version, str(self.languages), machinery]
        return ":".join(part for part in parts if part)

    @property
    def provider(self) -> str:
        """The models that the answers name."""
        return ", ".join(sorted(self._stated))

    def translate(self, sources: Sequence[str | Request]) -> list[str | Failure]:
        translations: dict[int, str | Failure] = {}
        for new in self.stream(sources):
            translations.update(new)
        return [translations[index] for index in range(len(sources))]

    def stream(self, sources: Sequence[str | Request]) -> Generator[Mapping[int, str | Failure], None, None]:
        engines: list[Translating] = []

        async def work(deliver: Callable[[Mapping[int, str | Failure]], None]) -> None:
            engines.append(Translating(self._service, self.settings, self.clock))
            await engines[0].translate(sources, deliver)

        self._warn_if_unencrypted()
        try:
            yield from delivered(work)
        finally:
            for engine in engines:
                self._stated |= engine.stated

    def estimate(self, sources: Sequence[str | Request]) -> Estimate | None:
        return self._service.estimate([as_request(source).text for source in sources])

    def _query_version(self) -> str:
        if self._service.version_call() is None:
            return ""

        async def work(deliver: Callable[[str], None]) -> None:
            deliver(await Translating(self._service, self.settings, self.clock).version())

        return next(delivered(work))

    def _warn_if_unencrypted(self) -> None:
        url = self.settings.url
        if self._service.keys and url.startswith("http:") and not is_here(url):
            LOGGER.warning("%s: the key is sent to %s without encryption", self._service.kind, url)

    def __repr__(self) -> str:
        return f"HttpBackend({self._service.kind}, {self.settings.url}, {self.languages})"


def open_service(
    service: Service, settings: Settings, languages: LanguagePair, request: OpenRequest
) -> HttpBackend:
    """The backend; options of the run that do not apply to a service are an error."""
    if request.dtype != "fp32":
        raise ModelError(
            f"{service.kind}: a service chooses its own number format: omit `dtype={request.dtype}`"
        )
    return HttpBackend(service, settings, languages)
