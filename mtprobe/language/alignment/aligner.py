"""The aligners by name, and their interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mtprobe.errors import Failure
from mtprobe.language.alignment.links import Alignment, SentencePair

DEFAULT = "ibm1"


class Aligner(Protocol):
    @property
    def name(self) -> str:
        """With its version or a digest, for signatures: alignments change with it."""

    def align(self, pairs: Sequence[SentencePair]) -> Sequence[Alignment | Failure]:
        """The links of each pair, in order."""


def open_aligner(kind: str) -> Aligner:
    """`ibm1`, `eflomal`, or files: `LINKS` beside a `file:` model, `PAIRS,LINKS` for any model."""
    if kind == "ibm1":
        from mtprobe.language.alignment.kept import KeptIBM1

        return KeptIBM1()
    if kind == "eflomal":
        from mtprobe.language.alignment.eflomal import open_eflomal

        return open_eflomal()
    from mtprobe.language.alignment.files import open_links

    return open_links(kind)
