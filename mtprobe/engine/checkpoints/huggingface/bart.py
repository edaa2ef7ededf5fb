"""What Marian, M2M100 and mBART share: the weight names and layers of BART, as transformers stores them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, cast

from mtprobe.engine.checkpoints.huggingface.checked_weights import CheckedWeights
from mtprobe.engine.graphs.transformer import (
    Activation,
    Attention,
    Decoder,
    DecoderLayer,
    Embedding,
    Encoder,
    EncoderLayer,
    FeedForward,
)
from mtprobe.engine.graphs.weights import Linear, Tensor
from mtprobe.errors import ModelError

SHARED, OUTPUT = "model.shared.weight", "lm_head.weight"
SOURCE, TARGET = "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"
EPSILON = 1e-5  # torch's default, which no configuration changes
ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_new",
    "gelu_pytorch_tanh": "gelu_new",
    "gelu_fast": "gelu_new",
    "silu": "silu",
    "swish": "silu",
}


class BartConfig(Protocol):
    """The fields of `config.json` that are needed."""

    @property
    def d_model(self) -> int: ...
    @property
    def encoder_layers(self) -> int: ...
    @property
    def decoder_layers(self) -> int: ...
    @property
    def encoder_attention_heads(self) -> int: ...
    @property
    def decoder_attention_heads(self) -> int: ...
    @property
    def encoder_ffn_dim(self) -> int: ...
    @property
    def decoder_ffn_dim(self) -> int: ...
    @property
    def activation_function(self) -> str: ...
    @property
    def scale_embedding(self) -> bool: ...
    @property
    def max_position_embeddings(self) -> int: ...
    @property
    def vocab_size(self) -> int: ...
    @property
    def tie_word_embeddings(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Tables:
    """The embeddings of both sides and the output matrix."""

    source: Tensor
    target: Tensor
    output: Tensor


@dataclass(frozen=True, slots=True)
class BartReader:
    """Reads the parts of a model. The caller provides what differs between families."""

    config: BartConfig
    weights: CheckedWeights
    norm_first: bool  # implies a norm after the last layer
    embedding_norm: bool

    def activation(self) -> Activation:
        name = self.config.activation_function
        if name not in ACTIVATIONS:
            supported = ", ".join(ACTIVATIONS)
            raise ModelError(
                f'{self.weights.where}: the activation "{name}" is not supported; supported are {supported}'
            )
        return cast(Activation, ACTIVATIONS[name])

    def shared_tables(self) -> Tables:
        """One table for everything, unless the configuration unties it."""
        shape, weights = (self.config.vocab_size, self.config.d_model), self.weights
        if self.config.tie_word_embeddings:
            table = weights.first_of((SHARED, SOURCE, TARGET, OUTPUT), *shape)
            return Tables(table, table, table)
        return Tables(
            weights.first_of((SOURCE, SHARED), *shape),
            weights.first_of((TARGET, SHARED), *shape),
            weights.tensor(OUTPUT, *shape),
        )

    def encoder(self, table: Tensor, positions: Tensor) -> Encoder:
        config, weights = self.config, self.weights
        self._check_heads("encoder", config.encoder_attention_heads)
        return Encoder(
            embedding=self._embedding("encoder", table, positions),
            layers=tuple(
                EncoderLayer(
                    self._attention(f"{prefix}.self_attn"), self._feed_forward(prefix, config.encoder_ffn_dim)
                )
                for prefix in (f"model.encoder.layers.{layer}" for layer in range(config.encoder_layers))
            ),
            heads=config.encoder_attention_heads,
            norm=weights.norm("model.encoder.layer_norm", config.d_model) if self.norm_first else None,
        )

    def decoder(self, table: Tensor, positions: Tensor, output: Linear) -> Decoder:
        config, weights = self.config, self.weights
        self._check_heads("decoder", config.decoder_attention_heads)
        return Decoder(
            embedding=self._embedding("decoder", table, positions),
            layers=tuple(
                DecoderLayer(
                    self._attention(f"{prefix}.self_attn"),
                    self._attention(f"{prefix}.encoder_attn"),
                    self._feed_forward(prefix, config.decoder_ffn_dim),
                )
                for prefix in (f"model.decoder.layers.{layer}" for layer in range(config.decoder_layers))
            ),
            heads=config.decoder_attention_heads,
            norm=weights.norm("model.decoder.layer_norm", config.d_model) if self.norm_first else None,
            output=output,
        )

    def output_bias(self, size: int) -> Tensor | None:
        """The bias of every word; many files omit it, and many contain only zeros."""
        if "final_logits_bias" not in self.weights:
            return None
        bias = self.weights.tensor("final_logits_bias", 1, size).reshape(-1)
        return bias if bias.any() else None

    def _embedding(self, side: str, table: Tensor, positions: Tensor) -> Embedding:
        width = self.config.d_model
        norm = self.weights.norm(f"model.{side}.layernorm_embedding", width) if self.embedding_norm else None
        return Embedding(table, math.sqrt(width) if self.config.scale_embedding else 1.0, positions, norm)

    def _attention(self, prefix: str) -> Attention:
        width, weights = self.config.d_model, self.weights
        query, key, value, output = (
            weights.linear(f"{prefix}.{part}_proj", width, width) for part in ("q", "k", "v", "out")
        )
        return Attention(query, key, value, output, weights.norm(f"{prefix}_layer_norm", width))

    def _feed_forward(self, prefix: str, inner: int) -> FeedForward:
        width, weights = self.config.d_model, self.weights
        return FeedForward(
            weights.linear(f"{prefix}.fc1", width, inner),
            weights.linear(f"{prefix}.fc2", inner, width),
            weights.norm(f"{prefix}.final_layer_norm", width),
        )

    def _check_heads(self, side: str, heads: int) -> None:
        width = self.config.d_model
        if heads < 1 or width % heads:
            raise ModelError(
                f"{self.weights.where}: a width of {width} cannot be divided into {heads} {side} heads"
            )
