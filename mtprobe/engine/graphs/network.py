"""What a network is made of, wherever it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from mtprobe.backends.dtype import Dtype
from mtprobe.engine.graphs.facts import SsruFacts, TransformerFacts
from mtprobe.engine.graphs.graph import Graphs

Facts: TypeAlias = SsruFacts | TransformerFacts


@dataclass(frozen=True, slots=True)
class Parts:
    """The facts and the graphs of a network; the kind of the facts is the kind of the network."""

    facts: Facts
    graphs: Graphs


class Origin(Protocol):
    """Where a model has its network from: weights that are converted, or graphs that were saved."""

    @property
    def mark(self) -> str:
        """What the model's fingerprint begins with: the kind of origin and a digest of all its files."""

    def parts(self, dtype: Dtype) -> Parts:
        """Loads or builds them; damaged files are a `ModelError`, as is a format that cannot be had.

        Nothing is loaded before.
        """
