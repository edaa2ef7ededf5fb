"""The weights of an encoder-decoder transformer, in a form shared by all model families.

Marian, Bergamot, M2M100 and mBART each have a reader that produces this form; the graphs are built from nothing
else. Matrices are [out, in]; position tables start with the first position of a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mtprobe.engine.graphs.weights import Linear, Norm, Tensor

Activation: TypeAlias = Literal["relu", "gelu", "gelu_new", "quick_gelu", "silu"]


@dataclass(frozen=True, slots=True)
class Attention:
    """The projections of an attention block."""

    query: Linear
    key: Linear
    value: Linear
    output: Linear
    norm: Norm  # before or after the block; see `norm_first`


@dataclass(frozen=True, slots=True)
class FeedForward:
    inner: Linear
    outer: Linear
    norm: Norm


@dataclass(frozen=True, slots=True)
class EncoderLayer:
    attention: Attention
    feed_forward: FeedForward


@dataclass(frozen=True, slots=True)
class DecoderLayer:
    attention: Attention
    cross: Attention
    feed_forward: FeedForward


@dataclass(frozen=True, slots=True)
class Embedding:
    """Token and position embeddings."""

    table: Tensor  # [vocabulary, width]
    scale: float
    positions: Tensor  # [positions, width]; the caller checks that sentences are not longer
    norm: Norm | None  # of the sum of both


@dataclass(frozen=True, slots=True)
class Encoder:
    embedding: Embedding
    layers: tuple[EncoderLayer, ...]
    heads: int
    norm: Norm | None  # after the last layer


@dataclass(frozen=True, slots=True)
class Decoder:
    embedding: Embedding
    layers: tuple[DecoderLayer, ...]
    heads: int
    norm: Norm | None
    output: Linear  # to the target vocabulary; a tied matrix is the same array


@dataclass(frozen=True, slots=True)
class TransformerModel:
    encoder: Encoder
    decoder: Decoder
    activation: Activation
    norm_first: bool  # pre-norm; otherwise post-norm
    epsilon: float
    norms_keys: bool = True  # pre-norm: the keys and values of self-attention are normalised, too

    @property
    def width(self) -> int:
        return int(self.decoder.embedding.table.shape[1])

    @property
    def source_vocabulary(self) -> int:
        return int(self.encoder.embedding.table.shape[0])

    @property
    def target_vocabulary(self) -> int:
        return int(self.decoder.output.matrix.shape[0])

    @property
    def longest_source(self) -> int:
        """Maximum tokens of a source."""
        return len(self.encoder.embedding.positions)

    @property
    def longest_target(self) -> int:
        """Maximum tokens the decoder reads: the prefix and the target without its EOS."""
        return len(self.decoder.embedding.positions)
