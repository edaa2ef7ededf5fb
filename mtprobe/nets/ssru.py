"""What a transformer with an SSRU decoder is made of: its sizes and its weights, checked.

This is the student architecture of Bergamot and Firefox Translations: post-norm transformer
layers, a decoder whose self-attention is replaced by a simple recurrent unit, and one embedding
matrix for the source, the target and the output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mtprobe.errors import ModelError
from mtprobe.nets.bergamot import BergamotFile, Tensor

DEFAULT_HEADS = 8

# What the graphs do; a configuration that says otherwise is refused rather than computed wrongly.
# "d" is dropout, which does nothing outside training.
SUPPORTED: Mapping[str, tuple[object, ...]] = {
    "type": ("transformer",),
    "transformer-decoder-autoreg": ("rnn",),
    "dec-cell": ("ssru",),
    "transformer-preprocess": ("", "d"),
    "transformer-postprocess": ("dan", "an"),
    "transformer-postprocess-emb": ("", "d"),
    "transformer-postprocess-top": ("", "d"),
    "transformer-ffn-activation": ("relu",),
    "transformer-ffn-depth": (2,),
    "transformer-train-positions": (False,),
    "transformer-train-position-embeddings": (False,),
    "transformer-no-projection": (False,),
    "transformer-pool": (False,),
    "transformer-tied-layers": ([],),
    "tied-embeddings-all": (True,),
    "output-omit-bias": (False,),
    "layer-normalization": (False,),
    "lemma-dim-emb": (0,),
    "input-types": ([],),
    "right-left": (False,),
    "ulr": (False,),
}


@dataclass(frozen=True, slots=True)
class SsruModel:
    """A checked model: every weight that the sizes call for is there and has its shape."""

    path: Path
    tensors: Mapping[str, Tensor]
    encoder_layers: int
    decoder_layers: int
    width: int
    feed_forward_width: int
    heads: int
    vocabulary: int

    def matrix(self, name: str) -> Tensor:
        return self.tensors[name]

    def vector(self, name: str) -> Tensor:
        """A bias or a scale, which the file keeps as a matrix of one row."""
        return self.tensors[name].reshape(-1)


def ssru_model(file: BergamotFile) -> SsruModel:
    """The model in a file, or a `ModelError` that says what is missing or not supported."""
    _refuse_other_architectures(file)
    embeddings, hidden = file.tensors["Wemb"], file.tensors.get("encoder_l1_ffn_W1")
    if embeddings.ndim != 2 or hidden is None or hidden.ndim != 2:
        raise ModelError(f"{file.path}: Wemb and encoder_l1_ffn_W1 have to be matrices")
    model = SsruModel(
        path=file.path,
        tensors=file.tensors,
        encoder_layers=_layers(file, "encoder"),
        decoder_layers=_layers(file, "decoder"),
        width=embeddings.shape[1],
        feed_forward_width=hidden.shape[1],
        heads=_number(file, "transformer-heads", DEFAULT_HEADS),
        vocabulary=embeddings.shape[0],
    )
    if model.width % model.heads or model.width % 2 or model.width < 4:
        raise ModelError(f"{file.path}: a width of {model.width} does not divide into {model.heads} heads")
    _check_weights(model)
    return model


def _refuse_other_architectures(file: BergamotFile) -> None:
    for key, supported in SUPPORTED.items():
        if key in file.config and file.config[key] not in supported:
            known = " or ".join(repr(value) for value in supported)
            raise ModelError(
                f"{file.path}: the model has {key}: {file.config[key]!r}, which is not supported yet; known is {known}"
            )
    for name in ("encoder_Wemb", "decoder_Wemb", "decoder_ff_logit_out_W"):
        if name in file.tensors:
            raise ModelError(
                f"{file.path}: separate vocabularies for source and target ({name}) are not supported yet"
            )
    if "decoder_l1_self_Wq" in file.tensors:
        raise ModelError(f"{file.path}: the decoder attends to itself; only SSRU decoders are supported yet")
    if "Wemb" not in file.tensors:
        raise ModelError(f'{file.path}: the tensor "Wemb" is missing; is this a model?')


def _layers(file: BergamotFile, side: str) -> int:
    """As many as the configuration says, so that a missing last layer is found; else as many as there are."""
    pattern = re.compile(rf"{side}_l(\d+)_")
    found = max((int(match[1]) for name in file.tensors if (match := pattern.match(name))), default=0)
    layers = _number(file, "enc-depth" if side == "encoder" else "dec-depth", found)
    if layers != found:
        raise ModelError(f"{file.path}: the {side} should have {layers} layers and has {found}")
    return layers


def _number(file: BergamotFile, key: str, default: int) -> int:
    value = file.config.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ModelError(f"{file.path}: {key} is {value!r} where a positive number belongs")
    return value


def _check_weights(model: SsruModel) -> None:
    for name, shape in _expected_shapes(model):
        tensor = model.tensors.get(name)
        if tensor is None:
            raise ModelError(f'{model.path}: the tensor "{name}" is missing')
        if tensor.shape != shape and not (len(shape) == 1 and tensor.shape == (1, *shape)):
            raise ModelError(
                f'{model.path}: the tensor "{name}" has the shape {tensor.shape} where {shape} belongs'
            )


def _expected_shapes(model: SsruModel) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield "decoder_ff_logit_out_b", (model.vocabulary,)
    for layer in range(1, model.encoder_layers + 1):
        yield from _attention_shapes(model, f"encoder_l{layer}_self")
        yield from _feed_forward_shapes(model, f"encoder_l{layer}_ffn")
    for layer in range(1, model.decoder_layers + 1):
        prefix = f"decoder_l{layer}_rnn"
        yield from ((f"{prefix}_{name}", (model.width, model.width)) for name in ("W", "Wf"))
        yield from ((f"{prefix}_{name}", (model.width,)) for name in ("bf", "ffn_ln_scale", "ffn_ln_bias"))
        yield from _attention_shapes(model, f"decoder_l{layer}_context")
        yield from _feed_forward_shapes(model, f"decoder_l{layer}_ffn")


def _attention_shapes(model: SsruModel, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield from ((f"{prefix}_W{letter}", (model.width, model.width)) for letter in "qkvo")
    yield from ((f"{prefix}_b{letter}", (model.width,)) for letter in "qkvo")
    yield from ((f"{prefix}_Wo_ln_{part}", (model.width,)) for part in ("scale", "bias"))


def _feed_forward_shapes(model: SsruModel, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{prefix}_W1", (model.width, model.feed_forward_width)
    yield f"{prefix}_b1", (model.feed_forward_width,)
    yield f"{prefix}_W2", (model.feed_forward_width, model.width)
    yield f"{prefix}_b2", (model.width,)
    yield from ((f"{prefix}_ffn_ln_{part}", (model.width,)) for part in ("scale", "bias"))


def positions(model: SsruModel, count: int) -> Tensor:
    """The signal added to the embedding at each of the first `count` positions: sines, then cosines."""
    half = model.width // 2
    rates = 10000.0 ** (-np.arange(half) / (half - 1))
    angles = np.arange(count)[:, None] * rates
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)
