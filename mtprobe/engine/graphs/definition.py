"""The definition of a network: its dimensions and its graphs, without the weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from mtprobe.backends.device import Dtype
from mtprobe.engine.graphs.graph import Graphs


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


Dimensions: TypeAlias = SsruDimensions | TransformerDimensions


@dataclass(frozen=True, slots=True)
class NetworkDefinition:
    """All that is needed to run a network; the type of the dimensions gives the type of the network."""

    dimensions: Dimensions
    graphs: Graphs


class Origin(Protocol):
    """Where a model's network comes from: weights to convert, or saved graphs."""

    @property
    def fingerprint_prefix(self) -> str:
        """The start of the model's fingerprint: the kind of origin and a digest of all its files."""

    def network(self, dtype: Dtype) -> NetworkDefinition:
        """Loads or builds the network.

        Raises `ModelError` if files are damaged or the number format is not available.
        """
