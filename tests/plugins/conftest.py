"""Each imitated service, opened by its spec, with a clock that only moves when somebody waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpcore  # noqa: F401 - httpx loads it late, and an in-process run must not load it a second time
import pytest
from mtprobe_http import HttpBackend
from mtprobe_http.clock import Clock

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.errors import Failure
from tests.plugins.imitations import KEY, SERVICES, Imitated
from tests.plugins.loopback import Loopback, loopback


class NoTime(Clock):
    """Waiting takes no time, but is remembered."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.time

    def today(self) -> float:
        return 1_750_000_000.0 + self.time

    def chance(self) -> float:
        return 1.0

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


@dataclass
class Opened:
    """A service that runs on loopback."""

    imitated: Imitated
    server: Loopback
    clock: NoTime

    def open(self, *options: str, target: str = "de", source: str | None = "en") -> HttpBackend:
        spec = ModelSpec.parse(self.imitated.spec(self.server.address, *options))
        backend = open_backend(spec, OpenRequest(source=source, target=target))
        assert isinstance(backend, HttpBackend)
        backend.clock = self.clock
        return backend

    def translate(self, *sources: str, options: tuple[str, ...] = ()) -> list[str | Failure]:
        return self.open(*options).translate(sources)

    def texts(self) -> list[list[str]]:
        """The texts of each request for translations."""
        return [list(self.imitated.texts(asked)) for asked in self.server.translations()]


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Imitated], Opened]]:
    """Starts a service that is given."""
    running = []

    def begin(imitated: Imitated) -> Opened:
        monkeypatch.setenv(imitated.key, KEY)
        for name, value in imitated.environment:
            monkeypatch.setenv(name, value)
        context = loopback(imitated.imitation)
        server = context.__enter__()
        running.append(context)
        return Opened(imitated, server, NoTime())

    yield begin
    for context in running:
        context.__exit__(None, None, None)


@pytest.fixture(params=SERVICES, ids=lambda imitated: getattr(imitated, "kind", None))
def service(request: pytest.FixtureRequest, start: Callable[[Imitated], Opened]) -> Opened:
    """Each service in turn."""
    return start(request.param)


@pytest.fixture
def notices(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What the user was told on the way."""
    caplog.set_level(logging.INFO, logger="mtprobe")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "mtprobe"]
