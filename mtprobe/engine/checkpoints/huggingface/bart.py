"""Shared by Marian, M2M100 and mBART: BART's weight names and layers in transformers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
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
from mtprobe.engine.graphs.weights import Linear, Norm, Tensor
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


@dataclass(frozen=True, slots=True)
class CheckedWeights:
    """The weights of a model. Raises `ModelError` if a weight is missing or has another shape."""

    weights: Mapping[str, npt.NDArray[np.generic]]
    where: str  # the file or the model, for errors

    def __contains__(self, name: object) -> bool:
        return name in self.weights

    def tensor(self, name: str, *shape: int) -> Tensor:
        if name not in self.weights:
            raise ModelError(f'{self.where}: the tensor "{name}" is missing')
        weight = np.asarray(self.weights[name])
        if weight.shape != shape:
            raise ModelError(
                f'{self.where}: the tensor "{name}" has the shape {weight.shape}; expected {shape}'
            )
        values = np.ascontiguousarray(weight, np.float32)
        if not np.isfinite(values).all():
            raise ModelError(f'{self.where}: the tensor "{name}" contains values that are not finite')
        return values

    def first_of(self, names: tuple[str, ...], *shape: int) -> Tensor:
        """The first that exists of several names for the same tensor."""
        return self.tensor(next((name for name in names if name in self), names[0]), *shape)

    def linear(self, name: str, inside: int, out: int) -> Linear:
        """A matrix, and its bias if it has one."""
        bias = self.tensor(f"{name}.bias", out) if f"{name}.bias" in self else None
        return Linear(self.tensor(f"{name}.weight", out, inside), bias)

    def norm(self, name: str, width: int) -> Norm:
        return Norm(self.tensor(f"{name}.weight", width), self.tensor(f"{name}.bias", width))


@dataclass(frozen=True, slots=True)
class Tables:
    """The embeddings of both sides and the output matrix."""

    source: Tensor
    target: Tensor
    output: Tensor


@dataclass(frozen=True, slots=True)
class BartReader:
    """Reads the parts of a model. The caller provides what differs between families."""

    config: Seq2SeqConfig
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
