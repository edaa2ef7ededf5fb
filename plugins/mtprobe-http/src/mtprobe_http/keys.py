"""Keys: read from the environment only, and never shown."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import NoReturn

from mtprobe.backends import ModelError, Scrubber

# Those of libraries that log what they send and receive, and our own.
_LOGGERS = ("mtprobe", "httpx", "httpcore", "h11", "asyncio", "botocore")


class Key:
    """A secret from an environment variable. Neither `repr` nor `str` nor a traceback's locals show it."""

    __slots__ = ("_text", "variable")

    def __init__(self, variable: str, text: str) -> None:
        self.variable = variable
        self._text = text

    @classmethod
    def optional(cls, variable: str) -> Key | None:
        """The key, if the variable is set; white space around it is not part of it."""
        text = os.environ.get(variable, "").strip()
        if not text:
            return None
        if not (text.isascii() and text.isprintable()):
            del text  # a traceback may show it
            raise ModelError(f"{variable} contains characters that no key has; set it again")
        return cls(variable, text)

    @classmethod
    def required(cls, variable: str, service: str) -> Key:
        key = cls.optional(variable)
        if key is None:
            raise ModelError(f"{service} needs a key: set the environment variable {variable}")
        return key

    def reveal(self) -> str:
        """The secret itself, to be sent."""
        return self._text

    def __repr__(self) -> str:
        return f"Key({self.variable})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written anywhere")


def scrubber_for(keys: Iterable[Key]) -> Scrubber:
    """Takes the keys out of everything that comes from a server: servers repeat what they were sent."""
    return Scrubber(key.reveal() for key in keys)


class _LogScrubber(logging.Filter):
    """Takes all keys that were ever used out of log records, at whatever level and in whichever thread."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[str, Key] = {}
        self._scrubber = Scrubber(())

    def watch(self, keys: Iterable[Key]) -> None:
        new = {key.reveal(): key for key in keys} | self._keys
        if len(new) > len(self._keys):
            self._keys, self._scrubber = new, scrubber_for(new.values())
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] in _LOGGERS:
                logging.getLogger(name).addFilter(self)  # once, however often it is added

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        clean = self._scrubber.scrub_message(message)
        if clean != message:
            record.msg, record.args = clean, None
        return True


_LOGS = _LogScrubber()


def keep_out_of_logs(keys: Iterable[Key]) -> None:
    """To be called once the libraries are loaded, since each of their modules has a logger of its own."""
    _LOGS.watch(keys)
