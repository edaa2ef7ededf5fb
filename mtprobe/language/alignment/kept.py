"""Stored alignments: fitting the same pairs again would give the same links."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from mtprobe.language.alignment.links import Alignment, Link, SentencePair, check_alignment
from mtprobe.language.kept import kept_or_computed

VERSION = 1  # to be raised whenever `ibm1.py` may link other words


class KeptIBM1:
    """IBM model 1, fitted only to a set of pairs that is new."""

    name = "ibm1"

    def align(self, pairs: Sequence[SentencePair]) -> list[Alignment]:
        different = sorted(set(pairs))
        if not different:
            return []

        def fit(_keys: object) -> list[list[Alignment]]:
            from mtprobe.language.alignment.ibm1 import IBM1

            return [IBM1().align(different)]

        def read(value: Any) -> list[Alignment]:
            return [_alignment(links, pair) for links, pair in zip(value, different, strict=True)]

        (fitted,) = kept_or_computed(f"word alignment ibm1 {VERSION}", [(_digest(different),)], fit, read)
        links = dict(zip(different, fitted, strict=True))
        return [links[pair] for pair in pairs]


def _digest(pairs: Sequence[SentencePair]) -> str:
    """A digest of the set: an alignment depends on all pairs that it was fitted to."""
    digest = hashlib.sha256()
    for pair in pairs:
        for text in pair:
            raw = text.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.hexdigest()


def _alignment(value: Any, pair: SentencePair) -> Alignment:
    alignment = tuple(Link(source, target) for source, target in value)
    if any(type(place) is not int or place < 0 for link in alignment for place in link):
        raise ValueError("not an alignment")
    check_alignment(alignment, pair)
    return alignment
