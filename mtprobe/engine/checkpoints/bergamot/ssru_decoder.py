"""Reads Marian models with an SSRU decoder, and checks that their weights are complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile
from mtprobe.engine.checkpoints.bergamot.embeddings import embeddings
from mtprobe.engine.checkpoints.bergamot.options import ALWAYS, MarianOptions, layer_count, with_all_layers
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.errors import ModelError

DEFAULT_HEADS = 8

# What the graphs of these decoders compute, in addition to `ALWAYS`.
SUPPORTED: Mapping[str, tuple[object, ...]] = {
    **ALWAYS,
    "transformer-decoder-autoreg": ("rnn",),
    "dec-cell": ("ssru",),
    "transformer-preprocess": ("", "d"),
    "transformer-postprocess": ("dan", "an"),
    "transformer-postprocess-emb": ("", "d"),
    "transformer-postprocess-top": ("", "d"),
    "transformer-ffn-activation": ("relu",),
    "transformer-no-projection": (False,),
    "transformer-rnn-projection": (False,),
    "layer-normalization": (False,),
}


def ssru_model(file: BergamotFile) -> SsruModel:
    """Reads the model in a file; raises `ModelError` if anything is missing or not supported."""
    options = MarianOptions.of(file)
    options.refuse_all_but(SUPPORTED)
    file = with_all_layers(file)
    tables = embeddings(file)
    model = SsruModel(
        tensors=file.tensors,
        source_embeddings=tables.source,
        target_embeddings=tables.target,
        output=tables.output,
        encoder_layers=layer_count(file, "encoder"),
        decoder_layers=layer_count(file, "decoder"),
        heads=options.number("transformer-heads", DEFAULT_HEADS),
    )
    if model.width % model.heads or model.width % 2 or model.width < 4:
        raise ModelError(f"{file.path}: a width of {model.width} cannot be divided into {model.heads} heads")
    inner_widths = {side: _inner_width(file, side) for side in ("encoder", "decoder")}
    _check_weights(file.path, model, inner_widths)
    return model


def _inner_width(file: BergamotFile, side: str) -> int:
    """The width of the feed-forward layers."""
    name = f"{side}_l1_ffn_W1"
    hidden = file.tensors.get(name)
    if hidden is None or hidden.ndim != 2:
        raise ModelError(f"{file.path}: {name} must be a matrix")
    return int(hidden.shape[1])


def _check_weights(path: Path, model: SsruModel, inner_widths: Mapping[str, int]) -> None:
    for name, shape in _expected_shapes(model, inner_widths):
        tensor = model.tensors.get(name)
        if tensor is None:
            raise ModelError(f'{path}: the tensor "{name}" is missing')
        if tensor.shape != shape and not (len(shape) == 1 and tensor.shape == (1, *shape)):
            raise ModelError(f'{path}: the tensor "{name}" has the shape {tensor.shape}; expected {shape}')


def _expected_shapes(
    model: SsruModel, inner_widths: Mapping[str, int]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    width = model.width
    for layer in range(1, model.encoder_layers + 1):
        yield from _attention_shapes(width, f"encoder_l{layer}_self")
        yield from _feed_forward_shapes(width, f"encoder_l{layer}_ffn", inner_widths["encoder"])
    for layer in range(1, model.decoder_layers + 1):
        prefix = f"decoder_l{layer}_rnn"
        yield from ((f"{prefix}_{name}", (width, width)) for name in ("W", "Wf"))
        yield from ((f"{prefix}_{name}", (width,)) for name in ("bf", "ffn_ln_scale", "ffn_ln_bias"))
        yield from _attention_shapes(width, f"decoder_l{layer}_context")
        yield from _feed_forward_shapes(width, f"decoder_l{layer}_ffn", inner_widths["decoder"])


def _attention_shapes(width: int, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield from ((f"{prefix}_W{letter}", (width, width)) for letter in "qkvo")
    yield from ((f"{prefix}_b{letter}", (width,)) for letter in "qkvo")
    yield from ((f"{prefix}_Wo_ln_{part}", (width,)) for part in ("scale", "bias"))


def _feed_forward_shapes(width: int, prefix: str, inner: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{prefix}_W1", (width, inner)
    yield f"{prefix}_b1", (inner,)
    yield f"{prefix}_W2", (inner, width)
    yield f"{prefix}_b2", (width,)
    yield from ((f"{prefix}_ffn_ln_{part}", (width,)) for part in ("scale", "bias"))
