"""The options of the executor: `ray[:ADDRESS][?workers=N&threads=N]`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from mtprobe.backends import MtprobeError, did_you_mean

_OPTIONS = ("workers", "threads")


@dataclass(frozen=True, slots=True)
class Settings:
    address: str | None  # None: start a cluster on this machine
    workers: int | None  # at most; None: as many as fit
    threads: int  # per worker


def read_settings(rest: str) -> Settings:
    """Parses what follows `ray`; an unknown option is an error that suggests the right one."""
    address, _, options = rest.partition("?")
    given = dict(parse_qsl(options, keep_blank_values=True))
    for key in given:
        if key not in _OPTIONS:
            raise MtprobeError(f'ray: unknown option "{key}"{did_you_mean(key, _OPTIONS)}')
    workers = _positive(given, "workers")
    return Settings(address or None, workers, _positive(given, "threads") or 1)


def _positive(given: dict[str, str], key: str) -> int | None:
    text = given.get(key)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise MtprobeError(f"ray: {key}={text} is not a positive number")
    return int(text)
