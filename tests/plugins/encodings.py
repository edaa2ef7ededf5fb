"""A key in every encoding in which a server may repeat it."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus


def _each(form: str) -> Callable[[str], str]:
    return lambda key: "".join(form.format(ord(letter)) for letter in key)


def _base64(before: str = "", after: str = "") -> Callable[[str], str]:
    return lambda key: base64.b64encode(f"{before}{key}{after}".encode()).decode()


ENCODINGS: dict[str, Callable[[str], str]] = {
    "raw": str,
    "upper-case": str.upper,
    "percent": lambda key: quote(key, safe=""),
    "percent-lower": lambda key: quote(key, safe="").lower(),
    "percent-plus": quote_plus,
    "percent-every-letter": _each("%{:02x}"),
    "percent-twice": lambda key: quote(_each("%{:02X}")(key), safe=""),
    "json": lambda key: json.dumps(key)[1:-1],
    "json-slashes": lambda key: json.dumps(key)[1:-1].replace("/", "\\/"),
    "json-every-letter": _each("\\u{:04x}"),
    "json-in-json": lambda key: json.dumps(json.dumps(key)),
    "html": html.escape,
    "html-decimal": _each("&#{};"),
    "html-hexadecimal": _each("&#x{:X};"),
    "html-twice": lambda key: html.escape(_each("&#{};")(key)),
    "bytes-of-python": lambda key: repr(key.encode()),
    "bytes-escaped": _each("\\x{:02x}"),
    "octal": _each("\\{:03o}"),
    "hex": lambda key: key.encode().hex(),
    "hex-upper": lambda key: key.encode().hex().upper(),
    "base64": _base64(),
    "base64-unpadded": lambda key: _base64()(key).rstrip("="),
    "base64-urlsafe": lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    "base64-user": _base64("user:"),
    "base64-bearer": _base64("Bearer "),
    "base64-inside": _base64("x=", "; more"),
    "base64-percent": lambda key: quote(_base64("u:")(key), safe=""),
    "cut-off": lambda key: key[: len(key) * 2 // 3],
    "without-its-start": lambda key: key[len(key) // 3 :],
}


def traces(key: str) -> list[str]:
    """What none of our outputs may contain: every encoding, without what is common to all keys at its ends."""
    forms = {encode(key) for encode in ENCODINGS.values()}
    middle = key[len(key) // 4 : -len(key) // 4]
    return sorted({*forms, middle, middle.upper(), middle.encode().hex(), quote(middle, safe="")})
