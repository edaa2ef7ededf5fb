"""Word alignment: which words of a translation correspond to which words of its source."""

from __future__ import annotations

from mtprobe.language.alignment.aligner import DEFAULT, Aligner, open_aligner
from mtprobe.language.alignment.links import (
    Alignment,
    Link,
    SentencePair,
    aligned_to,
    check_alignment,
    read_alignment,
    tokens_in,
)

__all__ = [
    "DEFAULT",
    "Aligner",
    "Alignment",
    "Link",
    "SentencePair",
    "aligned_to",
    "check_alignment",
    "open_aligner",
    "read_alignment",
    "tokens_in",
]
