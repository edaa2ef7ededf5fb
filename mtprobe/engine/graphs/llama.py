"""The weights of a decoder-only transformer of the Llama family, in a form shared by all its members.

Llama, Mistral, Qwen 2, Qwen 3 and SmolLM 3 differ in what is optional here. The graphs are built from nothing else. Matrices are
[out, in].
"""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.engine.graphs.weights import Linear, Tensor


@dataclass(frozen=True, slots=True)
class LlamaAttention:
    """The projections of an attention block; several query heads share a key head (grouped queries)."""

    query: Linear
    key: Linear
    value: Linear
    output: Linear
    norm: Tensor  # before the block
    query_norm: Tensor | None = None  # of each head, before the rotation
    key_norm: Tensor | None = None
    slides: bool = False  # whether it attends to the latest `LlamaModel.window` tokens only
    rotates: bool = True  # whether it sees positions


@dataclass(frozen=True, slots=True)
class GatedFeedForward:
    """outer(silu(gate(x)) × inner(x))."""

    gate: Linear
    inner: Linear
    outer: Linear
    norm: Tensor


@dataclass(frozen=True, slots=True)
class LlamaLayer:
    attention: LlamaAttention
    feed_forward: GatedFeedForward


@dataclass(frozen=True, slots=True)
class LlamaModel:
    embedding: Tensor  # [vocabulary, width]
    layers: tuple[LlamaLayer, ...]
    norm: Tensor
    output: Linear  # to the vocabulary; a tied matrix is the same array
    heads: int
    key_heads: int
    head_width: int
    epsilon: float
    rates: (
        Tensor  # [head width / 2] how far each pair of numbers of a head is rotated per position, in radians
    )
    longest: int  # maximum tokens of a text
    window: int | None = None  # of the layers that slide

    @property
    def width(self) -> int:
        return int(self.embedding.shape[1])

    @property
    def vocabulary(self) -> int:
        return len(self.output.matrix)
