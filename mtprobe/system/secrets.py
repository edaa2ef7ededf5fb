"""Removes secrets from external text, in every encoding in which servers and programs echo them.

A secret is found literally, in any case of its letters; in hexadecimal and in Base64 (standard or URL-safe, alone or
within something longer, such as `user:secret`); and in each of these under up to four layers of percent, JSON, C and
HTML escapes. Of a secret of at least 16 characters, half is enough, since messages are cut off.

A secret that may be a word of any text (see `is_word`) is only taken out of messages, where it is a word by itself.
"""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from html.entities import html5
from string import ascii_lowercase, ascii_uppercase

HIDDEN = "[hidden key]"
"""Replaces a key in messages."""

_SHORT, _LONG = 8, 16  # characters
_LAYERS = 4
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)  # unlike str.lower, it keeps the length
_ESCAPE = re.compile(
    r"%(?P<percent>[0-9a-fA-F]{2})"
    r"|\\+(?:u\{?(?P<unicode>[0-9a-fA-F]{4,6})\}?|x(?P<byte>[0-9a-fA-F]{2})|(?P<octal>[0-3][0-7]{2}))"
    r"|\\(?P<itself>[^\w\s])"
    r"|&(?:\#[xX](?P<hex>[0-9a-fA-F]{1,6})|\#(?P<decimal>[0-9]{1,7})|(?P<name>[A-Za-z]{2,31}));"
)
_BASES = {"percent": 16, "unicode": 16, "byte": 16, "octal": 8, "hex": 16, "decimal": 10}

# What gives a secret away in a command or an address: the name of an option, and a user before a host.
_NAMED = re.compile(
    r"((?:^|[^a-z])(?:[\w-]*[_-])?(?:api-?key|key|token|secret|passw(?:or)?d|pwd|auth|authorization|credentials?|bearer|basic)"
    r"[\"']?(?:\s*[=:]\s*|\s+)(?:bearer\s+|basic\s+)?[\"']?)([^\s\"'&;,]+)",
    re.IGNORECASE,
)
_USER = re.compile(r"(\w+://)[^/\s@]+@")


def is_word(secret: str) -> bool:
    """Whether it may occur in any text: shorter than 8 characters, or than 16 and letters only."""
    return len(secret) < _SHORT or (len(secret) < _LONG and secret.isalpha())


def without_secrets(spec: str) -> str:
    """A command, an address or a spec, safe for messages: values of secret options, and users in addresses, are hidden."""
    return _NAMED.sub(rf"\1{HIDDEN}", _USER.sub(rf"\1{HIDDEN}@", spec))


class Scrubber:
    """Removes secrets from texts, and never shows them itself."""

    def __init__(self, secrets: Iterable[str]) -> None:
        unique = sorted({secret for secret in secrets if secret}, key=len, reverse=True)
        self._forms = [form for secret in unique if not is_word(secret) for form in _forms(secret)]
        words = "|".join(re.escape(secret) for secret in unique if is_word(secret))
        self._words = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words else None

    def scrub(self, text: str) -> str:
        """The text with a marker for each secret."""
        spans: list[tuple[int, int]] = []
        for reading in _readings(text) if self._forms else ():
            lowered = reading.text.translate(_LOWER)
            for form in self._forms:
                found = form.find(reading.text if form.exact else lowered)
                spans += [reading.origin(span) for span in found]
        return _replaced(text, spans)

    def scrub_message(self, text: str) -> str:
        """The same for a message, from which secrets that are words are taken too."""
        text = self.scrub(text)
        return self._words.sub(HIDDEN, text) if self._words else text

    def __repr__(self) -> str:
        return "Scrubber()"


class _Form:
    """A secret in one encoding; `exact` if its letters have only one case."""

    __slots__ = ("exact", "least", "text")

    def __init__(self, text: str, *, exact: bool, whole: bool) -> None:
        self.text, self.exact = text, exact
        self.least = len(text) if whole else max(_SHORT, (len(text) + 1) // 2)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """The places in the text that contain the form, or enough of it."""
        start = text.find(self.text)
        if start >= 0:
            while start >= 0:
                yield start, start + len(self.text)
                start = text.find(self.text, start + len(self.text))
            text = text.replace(self.text, "\0" * len(self.text))
        if self.least < len(self.text):
            yield from self._parts(text)

    def _parts(self, text: str) -> Iterator[tuple[int, int]]:
        """Every part that is long enough contains one of these blocks."""
        size = (self.least + 1) // 2
        for at in range(0, len(self.text) - size + 1, size):
            start = text.find(self.text[at : at + size])
            while start >= 0:
                left, right = self._extended(text, start, at, size)
                if right - left >= self.least:
                    yield left, right
                start = text.find(self.text[at : at + size], right)

    def _extended(self, text: str, start: int, at: int, size: int) -> tuple[int, int]:
        """The block at `start`, with what matches on both of its sides."""
        left, right = 0, size
        while left < min(start, at) and text[start - left - 1] == self.text[at - left - 1]:
            left += 1
        longest = min(len(text) - start, len(self.text) - at)
        while right < longest and text[start + right] == self.text[at + right]:
            right += 1
        return start - left, start + right

    def __repr__(self) -> str:
        return "_Form()"


def _forms(secret: str) -> Iterator[_Form]:
    whole = len(secret) < _LONG
    encoded = secret.encode("utf-8", "surrogatepass")
    literal = secret.translate(_LOWER)
    spaced = {literal, literal.replace(" ", "+"), literal.replace("+", " ")}
    yield from (_Form(text, exact=False, whole=whole) for text in sorted(spaced))
    yield _Form(encoded.hex(), exact=False, whole=whole)
    for offset in range(3):  # within something longer, it starts at any bit of three
        standard = base64.b64encode(bytes(offset) + encoded).decode()
        text = standard[(offset * 8 + 5) // 6 : (offset + len(encoded)) * 8 // 6]
        for variant in sorted({text, text.replace("+", "-").replace("/", "_")}):
            yield _Form(variant, exact=True, whole=whole)


class _Reading:
    """A text with some layers of escapes resolved, and how to get back to the text as it came."""

    def __init__(self, text: str, outer: _Reading | None = None) -> None:
        self.text = text
        self._outer = outer
        self._ends: list[int] = []  # in this text, after each resolved character
        self._shorter: list[int] = []  # by how much this text is shorter up to there

    def inner(self) -> _Reading | None:
        """One layer further; None if there are no escapes."""
        parts: list[str] = []
        reading = _Reading("", self)
        end = length = shorter = 0
        for match in _ESCAPE.finditer(self.text):
            letter = _meaning(match)
            if letter is None:
                continue
            parts += (self.text[end : match.start()], letter)
            length += match.start() - end + 1
            shorter += match.end() - match.start() - 1
            end = match.end()
            reading._ends.append(length)
            reading._shorter.append(shorter)
        if not parts:
            return None
        reading.text = "".join((*parts, self.text[end:]))
        return reading

    def origin(self, span: tuple[int, int]) -> tuple[int, int]:
        """The place of a span of this text in the original text."""
        if self._outer is None:
            return span
        start, end = map(self._before, span)
        return self._outer.origin((start, end))

    def _before(self, index: int) -> int:
        count = bisect_right(self._ends, index)
        return index + (self._shorter[count - 1] if count else 0)


def _readings(text: str) -> Iterator[_Reading]:
    reading: _Reading | None = _Reading(text)
    for _ in range(_LAYERS + 1):
        if reading is None:
            return
        yield reading
        reading = reading.inner()


def _meaning(match: re.Match[str]) -> str | None:
    """The character of an escape; None for one that is not a single character."""
    kind, value = str(match.lastgroup), match[match.lastgroup or 0]
    if kind == "itself":
        return value
    if kind == "name":
        letter = html5.get(f"{value};", "")
        return letter if len(letter) == 1 else None
    number = int(value, _BASES[kind])
    return chr(number) if number < 0x110000 else None


def _replaced(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts: list[str] = []
    end = 0
    for start, stop in sorted(spans):
        if start >= end and (start > end or not parts):
            parts += (text[end:start], HIDDEN)
        end = max(end, stop)
    return "".join((*parts, text[end:]))
