"""What a transformer with an attending decoder is made of, in plain facts.

Any family of models (Marian, Bergamot, M2M100, mBART) is brought into this form by a builder of its own; the
graphs know nothing but this. Matrices are [out, in], tables start with the first position of a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mtprobe.engine.checkpoints.bergamot.binary import Tensor

Activation: TypeAlias = Literal["relu", "gelu", "gelu_new", "quick_gelu", "silu"]


@dataclass(frozen=True, slots=True)
class Linear:
    matrix: Tensor  # [out, in]
    bias: Tensor | None  # [out]


@dataclass(frozen=True, slots=True)
class Norm:
    scale: Tensor
    bias: Tensor


@dataclass(frozen=True, slots=True)
class Attention:
    """Where the heads get their queries, keys and values from, and what becomes of what they found."""

    query: Linear
    key: Linear
    value: Linear
    output: Linear
    norm: Norm  # before it or behind it, as the model has it


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
    """How a token at a position becomes a vector."""

    table: Tensor  # [vocabulary, width]
    scale: float
    positions: Tensor  # [positions, width]; a sentence that is longer is the caller's error
    norm: Norm | None  # over the sum of both


@dataclass(frozen=True, slots=True)
class Encoder:
    embedding: Embedding
    layers: tuple[EncoderLayer, ...]
    heads: int
    norm: Norm | None  # behind the last layer


@dataclass(frozen=True, slots=True)
class Decoder:
    embedding: Embedding
    layers: tuple[DecoderLayer, ...]
    heads: int
    norm: Norm | None
    output: Linear  # to the target vocabulary; a matrix that is shared is one and the same array


@dataclass(frozen=True, slots=True)
class TransformerModel:
    encoder: Encoder
    decoder: Decoder
    activation: Activation
    norm_first: bool  # each layer normalises what comes in (pre-norm) or what goes out (post-norm)
    epsilon: float
    norms_keys: bool = True  # pre-norm: self-attention has keys and values of what is normalised, too

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
        """Tokens that a source may have."""
        return len(self.encoder.embedding.positions)

    @property
    def longest_target(self) -> int:
        """Tokens that the decoder may read: the prefix and the target without its end."""
        return len(self.decoder.embedding.positions)
