"""Keys: read from the environment only, and never shown."""

from __future__ import annotations

import os
from collections.abc import Iterable

from mtprobe.backends import ModelError

HIDDEN = "…"
_SHORTEST = 4  # anything shorter occurs in ordinary text


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


def scrubbed(text: str, keys: Iterable[Key]) -> str:
    """The text without any of the keys: servers echo what they were sent."""
    for key in keys:
        secret = key.reveal()
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, HIDDEN)
    return text
