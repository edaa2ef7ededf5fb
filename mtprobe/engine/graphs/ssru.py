"""The sizes and weights of a transformer with an SSRU decoder.

This is the student architecture of Bergamot and Firefox Translations: post-norm transformer layers, and a decoder
whose self-attention is replaced by a simple recurrent unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mtprobe.engine.graphs.weights import Linear, Tensor


@dataclass(frozen=True, slots=True)
class SsruModel:
    """A complete model; weights other than the embeddings go by Marian's names."""

    tensors: Mapping[str, Tensor]
    source_embeddings: Tensor  # [vocabulary, width]
    target_embeddings: Tensor  # [vocabulary, width]; the same array if the sides share it
    output: Linear  # to the target vocabulary
    encoder_layers: int
    decoder_layers: int
    heads: int

    @property
    def width(self) -> int:
        return int(self.target_embeddings.shape[1])

    @property
    def source_vocabulary(self) -> int:
        return len(self.source_embeddings)

    @property
    def target_vocabulary(self) -> int:
        return len(self.target_embeddings)

    def vector(self, name: str) -> Tensor:
        """A bias or a scale, which the file stores as a matrix of one row."""
        return self.tensors[name].reshape(-1)
