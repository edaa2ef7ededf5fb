"""What a transformer with an SSRU decoder is made of: its sizes and its weights, checked.

This is the student architecture of Bergamot and Firefox Translations: post-norm transformer
layers, and a decoder whose self-attention is replaced by a simple recurrent unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile, Tensor
from mtprobe.engine.checkpoints.bergamot.depth import layer_count, with_all_layers
from mtprobe.engine.checkpoints.bergamot.embeddings import Embeddings, embeddings
from mtprobe.engine.checkpoints.bergamot.options import ALWAYS, Options
from mtprobe.engine.graphs.transformer import Linear
from mtprobe.errors import ModelError

DEFAULT_HEADS = 8

# What the graphs of these decoders do besides.
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


@dataclass(frozen=True, slots=True)
class SsruModel:
    """A checked model: every weight that the sizes call for is there and has its shape."""

    path: Path
    tensors: Mapping[str, Tensor]
    embeddings: Embeddings
    encoder_layers: int
    decoder_layers: int
    encoder_inner: int  # width of the feed-forward layers
    decoder_inner: int
    heads: int

    @property
    def width(self) -> int:
        return self.embeddings.width

    @property
    def source_vocabulary(self) -> int:
        return len(self.embeddings.source)

    @property
    def target_vocabulary(self) -> int:
        return len(self.embeddings.target)

    @property
    def output(self) -> Linear:
        return self.embeddings.output

    def matrix(self, name: str) -> Tensor:
        return self.tensors[name]

    def vector(self, name: str) -> Tensor:
        """A bias or a scale, which the file keeps as a matrix of one row."""
        return self.tensors[name].reshape(-1)


def ssru_model(file: BergamotFile) -> SsruModel:
    """The model in a file, or a `ModelError` that says what is missing or not supported."""
    options = Options.of(file)
    options.refuse_all_but(SUPPORTED)
    file = with_all_layers(file)
    model = SsruModel(
        path=file.path,
        tensors=file.tensors,
        embeddings=embeddings(file),
        encoder_layers=layer_count(file, "encoder"),
        decoder_layers=layer_count(file, "decoder"),
        encoder_inner=_inner_width(file, "encoder"),
        decoder_inner=_inner_width(file, "decoder"),
        heads=options.number("transformer-heads", DEFAULT_HEADS),
    )
    if model.width % model.heads or model.width % 2 or model.width < 4:
        raise ModelError(f"{file.path}: a width of {model.width} does not divide into {model.heads} heads")
    _check_weights(model)
    return model


def _inner_width(file: BergamotFile, side: str) -> int:
    name = f"{side}_l1_ffn_W1"
    hidden = file.tensors.get(name)
    if hidden is None or hidden.ndim != 2:
        raise ModelError(f"{file.path}: {name} has to be a matrix")
    return int(hidden.shape[1])


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
    for layer in range(1, model.encoder_layers + 1):
        yield from _attention_shapes(model, f"encoder_l{layer}_self")
        yield from _feed_forward_shapes(model, f"encoder_l{layer}_ffn", model.encoder_inner)
    for layer in range(1, model.decoder_layers + 1):
        prefix = f"decoder_l{layer}_rnn"
        yield from ((f"{prefix}_{name}", (model.width, model.width)) for name in ("W", "Wf"))
        yield from ((f"{prefix}_{name}", (model.width,)) for name in ("bf", "ffn_ln_scale", "ffn_ln_bias"))
        yield from _attention_shapes(model, f"decoder_l{layer}_context")
        yield from _feed_forward_shapes(model, f"decoder_l{layer}_ffn", model.decoder_inner)


def _attention_shapes(model: SsruModel, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield from ((f"{prefix}_W{letter}", (model.width, model.width)) for letter in "qkvo")
    yield from ((f"{prefix}_b{letter}", (model.width,)) for letter in "qkvo")
    yield from ((f"{prefix}_Wo_ln_{part}", (model.width,)) for part in ("scale", "bias"))


def _feed_forward_shapes(model: SsruModel, prefix: str, inner: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{prefix}_W1", (model.width, inner)
    yield f"{prefix}_b1", (inner,)
    yield f"{prefix}_W2", (inner, model.width)
    yield f"{prefix}_b2", (model.width,)
    yield from ((f"{prefix}_ffn_ln_{part}", (model.width,)) for part in ("scale", "bias"))
