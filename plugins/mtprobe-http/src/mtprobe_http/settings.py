"""Options common to all services: `deepl:?url=http://127.0.0.1:8080&deadline=60&price=0`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import ip_address
from urllib.parse import urlsplit

from mtprobe.backends import ModelError, SpecOptions, split_options, without_secrets
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
_SECRET = ("key", "token", "secret", "pass", "pwd", "auth", "credential", "bearer")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options that all services share."""

    url: str
    limits: Limits
    timeout: float = TIMEOUT  # seconds per try, from connecting to the last byte
    deadline: float = DEADLINE  # seconds without a good answer before giving up
    tries: int = TRIES  # of a request that fails, before it is split or given up
    version: str | None = None  # given by the user, so that the service is not asked


def read_options(kind: str, rest: str, own: Sequence[str]) -> tuple[str, SpecOptions]:
    """The name after the colon, and the options; an option that looks like a key is an error."""
    _, _, options = rest.partition("?")
    for part in options.split("&"):
        name = part.partition("=")[0]
        if name not in own and any(word in name.lower() for word in _SECRET):
            raise ModelError(f"{kind}: keys do not belong in a spec, where anybody can read them: "
                             f"set them in the environment, and remove “{name}”")  # fmt: skip
    return split_options(kind, rest, (*COMMON, *own))


def read_settings(options: SpecOptions, default_url: str, limits: Limits) -> Settings:
    """Reads and checks the common options."""

    def positive(name: str, default: float) -> float:
        value = options.real(name)
        if value is not None and value <= 0:
            raise ModelError(f"{options.spec}: {name}={options.given[name]} must be above 0")
        return default if value is None else value

    def rate(name: str, default: float | None) -> float | None:
        return positive(name, 0.0) or default

    if limits.texts == 1 and (options.positive("batch") or 1) > 1:
        raise ModelError(f"{options.spec}: it takes one sentence per request: omit batch=")
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
    """US dollars per million characters."""
    price = options.real("price")
    if price is not None and price < 0:
        raise ModelError(f"{options.spec}: price={options.given['price']} is below 0")
    return default if price is None else price


def is_here(url: str) -> bool:
    """Whether the address is this machine, so that nothing is sent over a network."""
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
        raise ModelError(
            f"{options.spec}: url={without_secrets(url)} is not an address, for example url=http://127.0.0.1:5000"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ModelError(
            f"{options.spec}: the address must not contain a user name, password, query or fragment"
        )
    return url.rstrip("/")
