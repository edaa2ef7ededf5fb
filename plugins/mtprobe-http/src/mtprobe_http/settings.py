"""Options that every service understands: `deepl:?url=http://127.0.0.1:8080&deadline=60&price=0`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import ip_address
from urllib.parse import urlsplit

from mtprobe.backends import ModelError, SpecOptions, split_options
from mtprobe_http.service import Limits

COMMON = (
    "url",
    "timeout",
    "deadline",
    "tries",
    "concurrency",
    "batch",
    "batch_size",
    "per_second",
    "per_minute",
    "characters_per_minute",
    "price",
    "version",
)
TIMEOUT, DEADLINE, TRIES = 60.0, 300.0, 4
_SECRET = ("key", "token", "secret", "password", "auth")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a service is asked, whatever it is."""

    url: str
    limits: Limits
    timeout: float = TIMEOUT  # seconds for one try, from connecting to the last byte
    deadline: float = DEADLINE  # seconds without a good answer after which it is given up
    tries: int = TRIES  # of a request that breaks, before it is made smaller or given up
    version: str | None = None  # what the user says that the version is: then the service is not asked


def read_options(kind: str, rest: str, own: Sequence[str]) -> tuple[str, SpecOptions]:
    """The name behind the colon and the options; one that looks like a key says where keys belong."""
    _, _, options = rest.partition("?")
    for part in options.split("&"):
        name = part.partition("=")[0]
        if name not in own and any(word in name.lower() for word in _SECRET):
            raise ModelError(f"{kind}: keys are not part of a spec, where anybody could read them: "
                             f"give them in the environment, and leave “{name}” away")  # fmt: skip
    return split_options(kind, rest, (*COMMON, *own))


def read_settings(options: SpecOptions, default_url: str, limits: Limits) -> Settings:
    """The common options, each within what makes sense."""

    def positive(name: str, default: float) -> float:
        value = options.real(name)
        if value is not None and value <= 0:
            raise ModelError(f"{options.spec}: {name}={options.given[name]} is not above 0")
        return default if value is None else value

    def rate(name: str, default: float | None) -> float | None:
        return positive(name, 0.0) or default

    if limits.texts == 1 and (options.positive("batch") or 1) > 1:
        raise ModelError(f"{options.spec}: it takes one sentence a request: leave batch= away")
    return Settings(
        url=_address(options, default_url),
        limits=replace(
            limits,
            texts=options.positive("batch") or limits.texts,
            size=options.positive("batch_size") or limits.size,
            concurrency=options.positive("concurrency") or limits.concurrency,
            per_second=rate("per_second", limits.per_second),
            per_minute=rate("per_minute", limits.per_minute),
            characters_per_minute=rate("characters_per_minute", limits.characters_per_minute),
        ),
        timeout=positive("timeout", TIMEOUT),
        deadline=positive("deadline", DEADLINE),
        tries=options.positive("tries") or TRIES,
        version=options.given.get("version"),
    )


def price_from(options: SpecOptions, default: float | None) -> float | None:
    """US dollars a million characters."""
    price = options.real("price")
    if price is not None and price < 0:
        raise ModelError(f"{options.spec}: price={options.given['price']} is below 0")
    return default if price is None else price


def is_here(url: str) -> bool:
    """Whether the address is this machine, so that what is sent reaches no network."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _address(options: SpecOptions, default: str) -> str:
    url = options.given.get("url") or default
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good:
        raise ModelError(f"{options.spec}: url={url} is no address, as in url=http://127.0.0.1:5000")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ModelError(
            f"{options.spec}: the address holds more than a place: no name, password or query belongs there"
        )
    return url.rstrip("/")
