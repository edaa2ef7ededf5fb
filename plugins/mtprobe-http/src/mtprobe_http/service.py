"""What a plugin writes down of its service."""

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

_SHOWN = 200  # characters of a server's words that a message repeats
_BUSY = (408, 425, 429, 503, 529)
_WRONG_ADDRESS = (301, 302, 303, 307, 308, 404, 405, 410)


@dataclass(frozen=True, slots=True)
class Call:
    """A request without its secrets: those are added when it is sent."""

    path: str  # behind the service's address
    body: Mapping[str, Any] | Sequence[Any] | None = None  # None: a GET
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str] = field(repr=False)  # names in small letters
    body: bytes = field(repr=False)

    def json(self) -> Any:
        """The body as JSON; anything else is a `Broken` that says what it looks like."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            pass
        start = self.body.lstrip()[:1]
        if start == b"<" or "html" in self.headers.get("content-type", ""):
            raise NotTheService(f"a web page instead of JSON{_title(self.body)}")
        if start in (b"{", b"["):
            raise Broken(f"JSON that is broken or cut off after {len(self.body):,} bytes")
        raise NotTheService(f"“{in_short(self.body)}” instead of JSON" if self.body else "an empty answer")


@dataclass(frozen=True, slots=True)
class Limits:
    """What the service takes in one request, and how fast; options of the spec may lower or raise each."""

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
    """How a service is asked and understood. `kind` is what stands before the colon in a spec."""

    kind: str
    limits: Limits
    key_variable: str  # the environment variable that holds the key
    keys: tuple[Key, ...] = ()
    price: float | None = None  # US dollars a million characters; 0 is free, None is not known
    model: str = ""  # what the answers are made by, as far as the spec says: part of the fingerprint

    @abstractmethod
    def call(self, texts: Sequence[str]) -> Call:
        """The request that translates these."""

    @abstractmethod
    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        """The translations in an answer, in the order of the texts; a `Broken` where there are not as many."""

    def add_key(self, body: dict[str, Any]) -> None:  # noqa: B027 - most have nothing to add
        """Adds a secret to a body, in place, for services that want it there."""

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:  # noqa: B027
        """Adds secrets to the headers of what is about to be sent, in place."""

    def version_call(self) -> Call | None:
        """How the service is asked for its version; None where it tells none."""
        return None

    def read_version(self, answer: Any) -> str:
        """The version, with its date where there is one."""
        raise NotImplementedError

    def stated(self, answer: Any) -> str:
        """What an answer says that made it; empty where it says nothing."""
        del answer
        return ""

    def explain(self, answer: Any) -> str:
        """The service's own words in the JSON of an error."""
        found = answer.get("message") or answer.get("error") if isinstance(answer, Mapping) else None
        if isinstance(found, Mapping):
            found = found.get("message")
        return found if isinstance(found, str) else ""

    def problem(self, status: int, words: str) -> Problem | ModelError:
        """What an answer that is no success means; `words` begin with the status. Services have exceptions."""
        if status in (401, 403):
            return self.not_allowed(words)
        if status == 402:
            return ModelError(f"{self.kind}: {words}: the account has nothing left")
        if status in _BUSY:
            return Busy(words)
        if status >= 500:
            return Broken(words)
        if status in _WRONG_ADDRESS:
            return ModelError(f"{self.kind}: {words}: is the address right? It is said with url=")
        return Refused(words)

    def not_allowed(self, words: str) -> ModelError:
        """The key is wrong, expired, or not for this."""
        if not self.keys:
            return ModelError(f"{self.kind}: {words}: it wants a key; set {self.key_variable}")
        names = " and ".join(key.variable for key in self.keys)
        return ModelError(
            f"{self.kind}: {words}: the key in {names} is wrong, expired, or not allowed to do this"
        )

    def estimate(self, texts: Sequence[str]) -> Estimate | None:
        """What texts cost."""
        if self.price == 0:
            return None
        characters = sum(len(text) for text in texts)
        if self.price is None:
            return Estimate(characters, None, "say the price a million characters with price=")
        dollars = characters * self.price / 1e6
        return Estimate(characters, dollars, f"{self.price:g} USD a million characters")


def as_many(found: Any, texts: Sequence[str], what: str = "translations") -> list[Any]:
    """A list of as many things as there are texts."""
    if not isinstance(found, list):
        raise Broken(f"an answer without {what}")
    if len(found) != len(texts):
        raise Broken(f"{len(found)} {what} for {len(texts)} texts")
    return found


def text_in(holder: Any, *path: str | int) -> str:
    """The text at a path into the JSON of an answer."""
    for step in path:
        try:
            holder = holder[step]
        except (KeyError, IndexError, TypeError):
            raise Broken(f"an answer without {'.'.join(map(str, path))}") from None
    if not isinstance(holder, str):
        raise Broken(f"an answer whose {'.'.join(map(str, path))} is no text")
    return holder


def in_short(words: bytes | str) -> str:
    """A server's words for a message: one line, no control signs, not much of it."""
    text = words[: 4 * _SHOWN].decode(errors="replace") if isinstance(words, bytes) else words
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _title(page: bytes) -> str:
    found = re.search(rb"<title[^>]*>([^<]*)", page[:65536], re.IGNORECASE)
    return f" (“{in_short(found[1])}”)" if found and found[1].strip() else ""
