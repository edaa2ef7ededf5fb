"""Values that nobody would write into the files of a model."""

from __future__ import annotations

from typing import Any

SIZES: list[Any] = [
    0, 1, -1, 2, 3, 5, 7, 15, 17, 100, 999, 1000, 1001, 16_384, 65_536, 131_072, 10**6, 10**7, 10**9, 2**31 - 1, 2**31, 2**63, 2**64,
    10**100, 10**400, True, False, None, 1.5, -0.0, 1e300, "512", "", [], [1], {}, [[]], [[1]], [[0, 1]], {"a": 1}, "x" * 5_000,
]  # fmt: skip
WORDS: list[Any] = [
    "relu", "gelu", "swish", "marian", "m2m_100", "mbart", "t5", "bert", "roberta", "bart", "nobody", "MarianTokenizer", "NllbTokenizer",
    "M2M100Tokenizer", "MBart50Tokenizer", "BertTokenizer", "rnn", "self-attention", "average-attention", "never", "en", "pt", "xx", "zz-@",
    "\u0000", "\n", "é", "a" * 300, "..", "../x", "/dev/zero", "n", "dan", "[PAD]", "<unk>", "", " ", "▁",
]  # fmt: skip
RAW_NUMBERS = [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 5_000, b"-" + b"9" * 4_000, b"1e-999", b"0x10", b"010", b'"\\ud800"',
               b"2026-11-16", b"2026-13-45", b"2026-11-16 25:61:61", b"1:2:3", b"!!binary x", b"!!int z", b"~", b"[" * 2_000, b'{"a":' * 2_000]  # fmt: skip
MERGE_BOMB = (
    b"a0: &a0 {k: v}\n" + b"".join(b"a%d: &a%d {<<: [%s], k%d: v}\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9), n) for n in range(1, 12))
)  # fmt: skip
