"""The interface that a plugin implements for its service."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mtprobe.backends import Estimate, Failure, ModelError
from mtprobe_http.keys import Key
from mtprobe_http.problems import Broken, Busy, NotTheService, Problem, Refused

_SHOWN = 200  # characters of a server's message that ours quote
_BUSY = (408, 425, 429, 503, 529)
_WRONG_ADDRESS = (301, 302, 303, 307, 308, 404, 405, 410)


@dataclass(frozen=True, slots=True)
class Call:
    """A request without its secrets: those are added when it is sent."""

    path: str  # after the service's address
    body: Mapping[str, Any] | Sequence[Any] | None = None  # None: a GET
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str] = field(repr=False)  # names in lower case
    body: bytes = field(repr=False)
    repeats_key: bool = False  # it did, before the key was taken out

    def json(self) -> Any:
        """The body as JSON; anything else is a `Broken` that describes it."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            pass
        start = self.body.lstrip()[:1]
        if start == b"<" or "html" in self.headers.get("content-type", ""):
            raise NotTheService(f"a web page instead of JSON{_title(self.body)}")
        if start in (b"{", b"["):
            raise Broken(f"JSON that is invalid or truncated after {len(self.body):,} bytes")
        raise NotTheService(f"“{in_short(self.body)}” instead of JSON" if self.body else "an empty answer")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the service takes in one request, and how fast; options of the spec may change each limit."""

    texts: int
    size: int  # of all texts of a request together
    unit: Literal["characters", "bytes"] = "characters"
    concurrency: int = 4
    per_second: float | None = None  # requests
    per_minute: float | None = None
    characters_per_minute: float | None = None

    def measure(self, text: str) -> int:
        return len(text) if self.unit == "characters" else len(text.encode())


class Service(ABC):
    """How to call a service and read its answers. `kind` is the word before the colon in a spec."""

    kind: str
    limits: Limits
    key_variable: str  # the environment variable with the key
    keys: tuple[Key, ...] = ()
    price: float | None = None  # US dollars per million characters; 0: free, None: unknown
    model: str = ""  # what translates, as far as the spec says: part of the fingerprint

    @abstractmethod
    def call(self, texts: Sequence[str]) -> Call:
        """The request that translates these texts."""

    def call_again(self, texts: Sequence[str], repeat: int) -> Call:  # noqa: ARG002 - most services cannot use it
        """The request for one of several translations of the same texts, counted from 0: a seed may depend on it."""
        return self.call(texts)

    @abstractmethod
    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        """The translations in an answer, in the order of the texts; a `Broken` where there are not as many."""

    def add_key(self, body: dict[str, Any]) -> None:  # noqa: B027 - most services add nothing
        """Adds a secret to a body, in place, for services that want it there."""

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:  # noqa: B027
        """Adds secrets to the headers of what is about to be sent, in place."""

    def version_call(self) -> Call | None:
        """The request for the service's version; None if it has none."""
        return None

    def read_version(self, answer: Any) -> str:
        """The version, with its date if there is one."""
        raise NotImplementedError

    def stated(self, answer: Any) -> str:
        """The model that an answer names, or an empty string."""
        del answer
        return ""

    def explain(self, answer: Any) -> str:
        """The service's own message in the JSON of an error."""
        message = answer.get("message") or answer.get("error") if isinstance(answer, Mapping) else None
        if isinstance(message, Mapping):
            message = message.get("message")
        return message if isinstance(message, str) else ""

    def problem(self, status: int, words: str) -> Problem | ModelError:
        """The meaning of an unsuccessful response; `words` start with the status. Services override it."""
        if status in (401, 403):
            return self.not_allowed(words)
        if status == 402:
            return ModelError(f"{self.kind}: {words}: the account has no credit left")
        if status in _BUSY:
            return Busy(words)
        if status >= 500:
            return Broken(words)
        if status in _WRONG_ADDRESS:
            return ModelError(f"{self.kind}: {words}: is the address right? Set it with url=")
        return Refused(words)

    def not_allowed(self, words: str) -> ModelError:
        """The key is wrong, expired, or not allowed to do this."""
        if not self.keys:
            return ModelError(f"{self.kind}: {words}: it requires a key; set {self.key_variable}")
        names = " and ".join(key.variable for key in self.keys)
        return ModelError(
            f"{self.kind}: {words}: the key in {names} is wrong, expired, or not allowed to do this"
        )

    def estimate(self, texts: Sequence[str]) -> Estimate | None:
        """The cost of texts."""
        if self.price == 0:
            return None
        characters = sum(len(text) for text in texts)
        if self.price is None:
            return Estimate(characters, None, "give the price per million characters with price=")
        dollars = characters * self.price / 1e6
        return Estimate(characters, dollars, f"{self.price:g} USD per million characters")


def as_many(items: Any, texts: Sequence[str], what: str = "translations") -> list[Any]:
    """Checks that the items of an answer are a list with one per text."""
    if not isinstance(items, list):
        raise Broken(f"an answer without {what}")
    if len(items) != len(texts):
        raise Broken(f"{len(items)} {what} for {len(texts)} texts")
    return items


def text_in(holder: Any, *path: str | int) -> str:
    """The text at a path into the JSON of an answer."""
    for step in path:
        try:
            holder = holder[step]
        except (KeyError, IndexError, TypeError):
            raise Broken(f"an answer without {'.'.join(map(str, path))}") from None
    if not isinstance(holder, str):
        raise Broken(f"an answer whose {'.'.join(map(str, path))} is not a text")
    return holder


def in_short(words: bytes | str) -> str:
    """A server's message for one of ours: one short line without control characters."""
    text = words[: 4 * _SHOWN].decode(errors="replace") if isinstance(words, bytes) else words
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _title(page: bytes) -> str:
    title = re.search(rb"<title[^>]*>([^<]*)", page[:65536], re.IGNORECASE)
    return f" (“{in_short(title[1])}”)" if title and title[1].strip() else ""
