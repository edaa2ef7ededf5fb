"""The rows of the store: a value by model, kind and key, with a checksum over all four."""

from __future__ import annotations

import hashlib
import json
import struct
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from mtprobe.store.runtimes import UNRECORDED

TRANSLATION, SCORE, SPANS, ATTENTION, CHOICE, COMPUTED = 0, 1, 2, 3, 4, 5
KINDS = ("translation", "score", "spans", "attention", "choice", "computed")

Spans: TypeAlias = Sequence[tuple[int, int] | None]  # of a text's tokens; None: outside the text

_SECONDS_PER_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Row:
    fingerprint: str  # of the model
    kind: int
    key: bytes
    value: bytes
    used: int  # the day of its last use, counted from 1970
    runtime: str = UNRECORDED  # what computed it

    @property
    def checksum(self) -> int:
        return checksum(self.fingerprint, self.kind, self.key, self.value)


def checksum(fingerprint: str, kind: int, key: bytes, value: bytes) -> int:
    """SQLite detects damage to its own structure but not to values; and a row must never pass to another model."""
    return zlib.crc32(value, zlib.crc32(key, _checksum_of_model(fingerprint, kind)))


@lru_cache(maxsize=64)
def _checksum_of_model(fingerprint: str, kind: int) -> int:
    return zlib.crc32(f"{kind} {fingerprint}".encode("utf-8", "surrogatepass"))


def key_of(*texts: str) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.digest()


def from_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def to_text(value: bytes) -> str:
    return value.decode("utf-8", "surrogatepass")


def from_logprobs(values: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(values)}d", *values)


def to_logprobs(value: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(value) // 8}d", value)


def from_spans(spans: Spans) -> bytes:
    return json.dumps(spans).encode("ascii")


def to_spans(value: bytes) -> list[tuple[int, int] | None]:
    return [None if span is None else (span[0], span[1]) for span in json.loads(value)]


def from_attention(values: Sequence[float]) -> bytes:
    return json.dumps(values).encode("ascii")


def to_attention(value: bytes) -> tuple[float, ...]:
    return tuple(json.loads(value))


def from_choice(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value).encode("ascii")


def to_choice(value: bytes) -> Mapping[str, Any] | None:
    """None if it is not one."""
    try:
        choice = json.loads(value)
    except ValueError:
        return None
    return choice if isinstance(choice, dict) else None


def from_computed(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def today() -> int:
    return int(time.time()) // _SECONDS_PER_DAY
