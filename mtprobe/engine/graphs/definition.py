"""The definition of a network: its dimensions and its graphs.

Graphs are either built from weights or read from files; networks need not know which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from mtprobe.backends.device import Dtype

if TYPE_CHECKING:
    import numpy.typing as npt

Reach: TypeAlias = Literal["full", "sliding", "mixed"]
"""Whether layers attend to all tokens before a token, to the latest ones, or some to all and some to the latest."""


@dataclass(frozen=True, slots=True)
class Graph:
    """A serialized graph and its weights, which are passed to the runtime without copying."""

    serialized: bytes
    weights: Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class SavedGraph:
    """A graph in a file that references its weights; the runtime memory-maps them."""

    path: Path


Graphs: TypeAlias = Mapping[str, Graph | SavedGraph]


class BuiltGraphs(Mapping[str, Graph]):
    """Graphs that are built on every access."""

    def __init__(self, builders: Mapping[str, Callable[[], Graph]]) -> None:
        self._builders = builders

    def __getitem__(self, name: str) -> Graph:
        return self._builders[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._builders)

    def __len__(self) -> int:
        return len(self._builders)


@dataclass(frozen=True, slots=True)
class SsruDimensions:
    decoder_layers: int
    heads: int
    width: int
    source_vocabulary: int
    target_vocabulary: int
    longest: int  # maximum tokens of a sentence, EOS included
    dtype: Dtype = "fp32"  # number format of the graphs


@dataclass(frozen=True, slots=True)
class TransformerDimensions:
    decoder_layers: int
    heads: int  # of the decoder
    width: int
    source_vocabulary: int
    target_vocabulary: int
    longest_source: int  # maximum tokens of a source
    longest_target: int  # maximum tokens the decoder reads: the prefix and the target without its EOS
    dtype: Dtype = "fp32"  # number format of the graphs


@dataclass(frozen=True, slots=True)
class CausalDimensions:
    """A decoder-only transformer, which reads one text."""

    decoder_layers: int
    heads: int
    key_heads: int  # several heads share the keys of one
    head_width: int
    width: int
    target_vocabulary: int
    longest: int  # maximum tokens of a text
    window: int  # tokens that a layer with a sliding window attends to
    attention: Reach  # of the layers
    dtype: Dtype = "fp32"  # number format of the graphs


Dimensions: TypeAlias = SsruDimensions | TransformerDimensions | CausalDimensions


@dataclass(frozen=True, slots=True)
class NetworkDefinition:
    """Everything needed to run a network; the type of the dimensions determines the type of the network."""

    dimensions: Dimensions
    graphs: Graphs


class Origin(Protocol):
    """The origin of a model's network: weights to convert, or saved graphs."""

    @property
    def fingerprint_prefix(self) -> str:
        """The start of the model's fingerprint: the kind of origin and a digest of all its files."""

    def network(self, dtype: Dtype) -> NetworkDefinition:
        """Loads or builds the network.

        Raises `ModelError` if files are damaged or the number format is not available.
        """
