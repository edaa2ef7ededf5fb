"""Reads Marian models with a self-attention decoder, such as teachers and OPUS-MT in its original format.

Marian's decoder starts from zeros rather than from a token. So the decoder's embedding table gets an additional row
of zeros after the last word, which is the start token.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile
from mtprobe.engine.checkpoints.bergamot.embeddings import Embeddings, embeddings
from mtprobe.engine.checkpoints.bergamot.options import ALWAYS, MarianOptions, layer_count, with_all_layers
from mtprobe.engine.graphs.positions import bergamot_positions
from mtprobe.engine.graphs.transformer import (
    Activation,
    Attention,
    Decoder,
    DecoderLayer,
    Embedding,
    Encoder,
    EncoderLayer,
    FeedForward,
    TransformerModel,
)
from mtprobe.engine.graphs.weights import Linear, Norm, Tensor
from mtprobe.errors import ModelError

EPSILON = 1e-6
LAST_OLD = (1, 12, 0)  # the last release with the gelu and pre-norm of Bergamot

NEEDED = ("transformer-heads", "transformer-ffn-activation")  # cannot be inferred from the weights
SUPPORTED: Mapping[str, tuple[object, ...]] = {
    **ALWAYS,
    "transformer-decoder-autoreg": ("self-attention",),
    "transformer-ffn-activation": ("relu", "swish", "gelu"),
}


def attention_model(file: BergamotFile, longest: int) -> TransformerModel:
    """Reads the model in a file; raises `ModelError` if anything is missing or not supported.

    `longest` is the maximum number of tokens of a sentence, EOS included.
    """
    options = MarianOptions.of(file)
    options.refuse_all_but(SUPPORTED)
    for key in NEEDED:
        if key not in file.config:
            raise ModelError(
                f"{file.path}: {key} is not known; put Marian's configuration into the same folder, "
                f"as {file.path.name}.yml"
            )
    reader = _Reader(with_all_layers(file), embeddings(file), longest)
    model = TransformerModel(
        encoder=reader.encoder(),
        decoder=reader.decoder(),
        activation=_activation(options),
        norm_first=reader.norm_first,
        epsilon=EPSILON,
        norms_keys=options.newer_than(*LAST_OLD),
    )
    reader.refuse_unused_tensors()
    return model


def _activation(options: MarianOptions) -> Activation:
    name = options.config["transformer-ffn-activation"]
    if name == "gelu" and not options.newer_than(*LAST_OLD):
        return "quick_gelu"  # x · sigmoid(1.702 x), in versions without the exact one
    return cast(Activation, {"swish": "silu"}.get(str(name), name))


@dataclass
class _Reader:
    """Reads the parts of a model and records which tensors were used."""

    file: BergamotFile
    embeddings: Embeddings
    longest: int
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.options = MarianOptions.of(self.file)
        self.width = self.embeddings.width
        self.heads = self.options.number("transformer-heads", 0)
        if self.width % self.heads or self.width % 2 or self.width < 4:
            raise ModelError(
                f"{self.file.path}: a width of {self.width} cannot be divided into {self.heads} heads"
            )
        self.norm_first = self._norm_first()
        self.positions = bergamot_positions(self.longest, self.width)
        self.used |= self.embeddings.names

    def encoder(self) -> Encoder:
        layers = [f"encoder_l{number}" for number in range(1, layer_count(self.file, "encoder") + 1)]
        return Encoder(
            embedding=self._embedding("encoder", self.embeddings.source),
            layers=tuple(
                EncoderLayer(self._attention(f"{layer}_self"), self._feed_forward(f"{layer}_ffn"))
                for layer in layers
            ),
            heads=self.heads,
            norm=self._norm_on_top("encoder"),
        )

    def decoder(self) -> Decoder:
        layers = [f"decoder_l{number}" for number in range(1, layer_count(self.file, "decoder") + 1)]
        start = np.zeros((1, self.width), np.float32)
        return Decoder(
            embedding=self._embedding("decoder", np.vstack([self.embeddings.target, start])),
            layers=tuple(
                DecoderLayer(
                    self._attention(f"{layer}_self"),
                    self._attention(f"{layer}_context"),
                    self._feed_forward(f"{layer}_ffn"),
                )
                for layer in layers
            ),
            heads=self.heads,
            norm=self._norm_on_top("decoder"),
            output=self.embeddings.output,
        )

    def refuse_unused_tensors(self) -> None:
        """An unused tensor belongs to something that would be missing from the computation."""
        if unused := sorted(set(self.file.tensors) - self.used):
            more = f" and {len(unused) - 3} more" if len(unused) > 3 else ""
            raise ModelError(
                f"{self.file.path}: the model has tensors that are not part of a transformer, which is not "
                f"supported: {', '.join(unused[:3])}{more}"
            )

    def _norm_first(self) -> bool:
        """Pre-norm, otherwise post-norm."""
        before = self.options.operations("transformer-preprocess", self._guess("n", ""))
        after = self.options.operations("transformer-postprocess", self._guess("a", "an"))
        if (before, after) not in (("", "an"), ("n", "a")):
            raise ModelError(
                f'{self.file.path}: the model has transformer-preprocess: "{before}" with transformer-postprocess: '
                f'"{after}", which is not supported; supported are "" with "dan", and "n" with "da"'
            )
        return before == "n"

    def _guess(self, pre_norm: str, post_norm: str) -> str:
        return pre_norm if "encoder_l1_self_Wo_ln_scale_pre" in self.file.tensors else post_norm

    def _embedding(self, side: str, table: Tensor) -> Embedding:
        key, name = "transformer-postprocess-emb", f"{side}_emb"
        norm = self._norm(name, "_pre") if self._only_norm(key, f"{name}_ln_scale_pre") else None
        return Embedding(table, math.sqrt(self.width), self.positions, norm)

    def _norm_on_top(self, side: str) -> Norm | None:
        key, name = "transformer-postprocess-top", f"{side}_top"
        return self._norm(name, "") if self._only_norm(key, f"{name}_ln_scale") else None

    def _only_norm(self, key: str, name: str) -> bool:
        operations = self.options.operations(key, "n" if name in self.file.tensors else "")
        if operations not in ("", "n"):
            self.options.refuse(key, "'', 'd' or 'n'")
        return operations == "n"

    def _attention(self, prefix: str) -> Attention:
        query, key, value = (
            self._linear(f"{prefix}_W{letter}", f"{prefix}_b{letter}", self.width, self.width)
            for letter in "qkv"
        )
        if self.options.any_of("transformer-no-projection"):
            output = Linear(np.eye(self.width, dtype=np.float32), None)
        else:
            output = self._linear(f"{prefix}_Wo", f"{prefix}_bo", self.width, self.width)
        return Attention(query, key, value, output, self._norm_of_layer(f"{prefix}_Wo"))

    def _feed_forward(self, prefix: str) -> FeedForward:
        first = self.file.tensors.get(f"{prefix}_W1")
        inner = first.shape[1] if first is not None and first.ndim == 2 else 0
        return FeedForward(
            self._linear(f"{prefix}_W1", f"{prefix}_b1", self.width, inner),
            self._linear(f"{prefix}_W2", f"{prefix}_b2", inner, self.width),
            self._norm_of_layer(f"{prefix}_ffn"),
        )

    def _norm_of_layer(self, prefix: str) -> Norm:
        return self._norm(prefix, "_pre" if self.norm_first else "")

    def _norm(self, prefix: str, suffix: str) -> Norm:
        scale, bias = (
            self._tensor(f"{prefix}_ln_{part}{suffix}", 1, self.width).reshape(-1)
            for part in ("scale", "bias")
        )
        return Norm(scale, bias)

    def _linear(self, matrix: str, bias: str, inside: int, out: int) -> Linear:
        """The file stores matrices transposed, and a bias as a matrix of one row."""
        values = np.ascontiguousarray(self._tensor(matrix, inside, out).T)
        return Linear(values, self._tensor(bias, 1, out).reshape(-1))

    def _tensor(self, name: str, *shape: int) -> Tensor:
        tensor = self.file.tensor(name)
        self.used.add(name)
        if tensor.shape != shape and (1, *tensor.shape) != shape:
            raise ModelError(
                f'{self.file.path}: the tensor "{name}" has the shape {tensor.shape}; expected {shape}'
            )
        return tensor
