"""A service as a backend of mtprobe."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property

from mtprobe.backends.protocols import Estimate, LanguagePair, OpenRequest
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import LOGGER
from mtprobe_http.background import handed_over
from mtprobe_http.clock import Clock
from mtprobe_http.engine import Engine
from mtprobe_http.service import Service
from mtprobe_http.settings import Settings, is_here

MACHINERY = "v1"  # to be raised with every change after which a translation may differ


class HttpBackend:
    """Opens no connection before the first translation, but for a service that can be asked for its version."""

    stays_here = "a service is asked from one place, which keeps to its limits and has the key"

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
        """The service, where it is, what it was told, and its version where it states one."""
        service, settings = self._service, self.settings
        version = settings.version if settings.version is not None else self._asked_version()
        place = hashlib.sha256(settings.url.encode()).hexdigest()[:8]
        parts = [service.kind, place, service.model, version, str(self.languages), MACHINERY]
        return ":".join(part for part in parts if part)

    @property
    def provider(self) -> str:
        """What the answers said that made them."""
        return ", ".join(sorted(self._stated))

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        made: dict[int, str | Failure] = {}
        for some in self.stream(sources):
            made.update(some)
        return [made[place] for place in range(len(sources))]

    def stream(self, sources: Sequence[str]) -> Generator[Mapping[int, str | Failure], None, None]:
        engine: list[Engine] = []

        async def work(deliver: Callable[[Mapping[int, str | Failure]], None]) -> None:
            engine.append(Engine(self._service, self.settings, self.clock))
            await engine[0].translate(sources, deliver)

        self._warn_of_listeners()
        try:
            yield from handed_over(work)
        finally:
            for one in engine:
                self._stated |= one.stated

    def estimate(self, sources: Sequence[str]) -> Estimate | None:
        return self._service.estimate(sources)

    def _asked_version(self) -> str:
        if self._service.version_call() is None:
            return ""

        async def work(deliver: Callable[[str], None]) -> None:
            deliver(await Engine(self._service, self.settings, self.clock).version())

        return next(handed_over(work))

    def _warn_of_listeners(self) -> None:
        url = self.settings.url
        if self._service.keys and url.startswith("http:") and not is_here(url):
            LOGGER.warning("%s: the key is sent to %s without encryption", self._service.kind, url)

    def __repr__(self) -> str:
        return f"HttpBackend({self._service.kind}, {self.settings.url}, {self.languages})"


def open_service(
    service: Service, settings: Settings, languages: LanguagePair, request: OpenRequest
) -> HttpBackend:
    """The backend; what the user asked for and a service cannot do is said here."""
    if request.dtype != "fp32":
        raise ModelError(
            f"{service.kind}: a service computes in what it likes: leave --mt-dtype={request.dtype} away"
        )
    return HttpBackend(service, settings, languages)
