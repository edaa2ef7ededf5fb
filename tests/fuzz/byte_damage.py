"""Damage to the bytes of a file: what editors, transfers and hostile hands do."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from random import Random

Mutation = Callable[[bytes, Random], bytes]

_LAUGHS = b"\n".join(
    [b"l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
    + [b"l%d: &l%d [%s]" % (n, n, b", ".join([b"*l%d" % (n - 1)] * 9)) for n in range(1, 12)]
)
_TOKENS = [
    b"\0", b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\t", b"\x85", b"\xc2\x85",
    b"\xe2\x80\xa8", b"\x1b[31m", b"\xe2\x80\xae", b"\n---\n", b"\n...\n", b"%YAML 1.1\n", b"<<: ", b"<<: *a", b"&a ",
    b"*a ", b"!!python/object:os.system ", b"!!python/object/apply:os.system [id]", b"!!int ", b"!!binary ", b"!!set ",
    b"! ", b"!!timestamp ", b"!!omap ", b"2026-11-16", b"2026-11-16T08:00:00Z", b"010", b"0o17", b"0x1F", b"0b1", b"1_000",
    b"190:20:30", b"yes", b"no", b"on", b"off", b"y", b"Null", b"~", b".nan", b".inf", b"-.inf", b"NaN", b"Infinity",
    b"1e999", b"-1e999", b"9" * 401, b"9" * 5000, b"-0", b"0.1e-400", b"? ", b"- ", b": ", b" #", b"|\n", b">-\n", b"|9\n",
    b"{", b"}", b"[", b"]", b"{{", b"}}", b"<", b">", b"<>", b"\\<", b'"', b"'", b"`", b"@", b"%", b"\\", b"\\ud800",
    b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\0"', b'"\\x07"', b'"\\N"', b"\\u0000", b"{job}", b"{x}", b"{}", b"[a|b]", b"{a|b}",
    b"[|]", b"{|}", b"_", b"*", b"|noun", b"|", b"||| ", b"...", b"null", b"true", b"false", b"..", b"../../etc/passwd", b"/",
    b"/dev/zero", b"/dev/stdin", b"CON", b"a" * 300, b".gz", b">= 2", b">=", b"@95%", b"@", b"[female]", b"accuracy[",
    b"x" * 70_000, b" " * 20_000, b"[" * 3_000, b"{a: " * 3_000, b"- " * 3_000, b"(" * 400, b"not " * 110, b"a\n" * 5_000,
    "字é́\u200d\U0001f468\u200d\U0001f469 ﷺ".encode(), "ıİß".encode(), b"\n" + _LAUGHS + b"\n",
]  # fmt: skip


def flip(data: bytes, rng: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def truncate(data: bytes, rng: Random) -> bytes:
    cut = rng.randrange(len(data) + 1)
    return data[:cut] if rng.random() < 0.7 else data[cut:]


def insert(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(_TOKENS) + data[at:]


def replace_word(data: bytes, rng: Random) -> bytes:
    """One word, value or key becomes a token: the structure stays, more often than not."""
    at = rng.randrange(len(data) + 1)
    start = max(data.rfind(sign, 0, at) + 1 for sign in (b" ", b"\n", b"\t", b'"', b","))
    ends = [end for sign in (b" ", b"\n", b"\t", b'"', b",", b":") if (end := data.find(sign, at)) >= 0]
    return data[:start] + rng.choice(_TOKENS) + data[min(ends, default=len(data)) :]


def delete(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 2, 5, 40)) :]


def double_lines(data: bytes, rng: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at = rng.randrange(len(lines))
    many = lines[at : at + rng.choice((1, 2, 6))] * rng.choice((2, 2, 3, 50))
    return b"".join([*lines[:at], *many, *lines[at:]])


def move_lines(data: bytes, rng: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line if rng.random() < 0.7 else b"  " + line)
    return b"".join(lines)


def line_ends(data: bytes, rng: Random) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8", b"\x0b")))


def indent_with_tabs(data: bytes, rng: Random) -> bytes:
    return data.replace(b"  ", b"\t", rng.choice((1, 3, -1)))


def encode_otherwise(data: bytes, rng: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(
        rng.choice(("utf-16", "utf-16-be", "utf-8-sig", "latin-1", "utf-32", "cp037")), "replace"
    )


def laugh(data: bytes, rng: Random) -> bytes:  # noqa: ARG001
    """A billion laughs behind the rest."""
    return data + b"\n" + _LAUGHS + b"\n"


def pack(data: bytes, rng: Random) -> bytes:
    """Packed where nobody expects it, whole or cut off."""
    packed = gzip.compress(data, 1)
    return packed if rng.random() < 0.5 else packed[: rng.randrange(len(packed))]


def empty(data: bytes, rng: Random) -> bytes:  # noqa: ARG001
    return rng.choice((b"", b"\n", b"\0", b"{}", b"[]", b"null", b"\xef\xbb\xbf", b"#", b"---", b"- a", b"1"))


MUTATIONS: tuple[Mutation, ...] = (
    flip, truncate, insert, insert, insert, replace_word, replace_word, replace_word, replace_word, delete, double_lines,
    move_lines, line_ends, indent_with_tabs, encode_otherwise, laugh, pack, empty,
)  # fmt: skip


def mutated(data: bytes, rng: Random) -> bytes:
    """The data after one to three mutations."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(MUTATIONS)(data, rng)
    return data
