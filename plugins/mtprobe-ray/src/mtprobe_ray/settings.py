"""What may stand behind `ray`: `ray[:ADDRESS][?workers=N&threads=N]`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from mtprobe.errors import MtprobeError, did_you_mean

_OPTIONS = ("workers", "threads")


@dataclass(frozen=True, slots=True)
class Settings:
    address: str | None  # None: a cluster of our own, on this machine
    workers: int | None  # the most that there may be; None: as many as there is room for
    threads: int  # of a worker


def read_settings(rest: str) -> Settings:
    """The settings; a mistake in them is an error that says what would be right."""
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
