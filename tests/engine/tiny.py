"""Small random models, and a writer of the file format that they are stored in."""

from __future__ import annotations

import io
import itertools
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sentencepiece
import yaml

FLOAT32, FLOAT16, INT8, INTGEMM8, INTGEMM16 = 0x0404, 0x0402, 0x0101, 0x4101, 0x4102


@dataclass(frozen=True)
class Shape:
    """The shape of a model; by default a small student of Firefox Translations."""

    vocabulary: int = 37
    width: int = 16
    hidden: int = 24
    heads: int = 4
    encoder: int = 2
    decoder: int = 2
    source_vocabulary: int | None = None  # if it is separate
    tied_output: bool = True
    output: str = "decoder_ff_logit_out_Wt"  # if it is not tied
    bias: bool = True
    attends: bool = False
    norm_first: bool = False
    embedding_norm: bool = False
    top_norm: bool = False
    activation: str = "relu"
    decoder_hidden: int | None = None
    tied_layers: tuple[int, ...] = ()
    projection: bool = True
    version: str = "v1.9.56 94aeaa46 2021-04-28"

    def config(self) -> dict[str, object]:
        shared = self.source_vocabulary is None
        return {
            "type": "transformer",
            "version": self.version,
            "transformer-decoder-autoreg": "self-attention" if self.attends else "rnn",
            "dec-cell": "gru" if self.attends else "ssru",
            "enc-depth": self.encoder,
            "dec-depth": len(self.tied_layers) or self.decoder,
            "transformer-heads": self.heads,
            "transformer-postprocess": "da" if self.norm_first else "dan",
            "transformer-preprocess": "n" if self.norm_first else "",
            "transformer-postprocess-emb": "nd" if self.embedding_norm else "d",
            "transformer-postprocess-top": "n" if self.top_norm else "",
            "transformer-ffn-activation": self.activation,
            "transformer-tied-layers": list(self.tied_layers),
            "transformer-no-projection": not self.projection,
            "tied-embeddings": self.tied_output and not shared,
            "tied-embeddings-src": shared and not self.tied_output,
            "tied-embeddings-all": shared and self.tied_output,
            "output-omit-bias": not self.bias,
        }


def random_tensors(shape: Shape, seed: int = 0) -> dict[str, np.ndarray]:
    """Weights large enough that every layer matters to the outcome."""
    random = np.random.default_rng(seed)
    tensors: dict[str, np.ndarray] = {}
    suffix = "_pre" if shape.norm_first else ""

    def matrix(name: str, rows: int, columns: int) -> None:
        tensors[name] = (random.standard_normal((rows, columns)) * rows**-0.5).astype(np.float32)

    def table(name: str, rows: int) -> None:
        tensors[name] = random.standard_normal((rows, shape.width)).astype(np.float32) * np.float32(0.4)

    def vector(name: str, size: int, around: float = 0.0) -> None:
        tensors[name] = (around + 0.2 * random.standard_normal((1, size))).astype(np.float32)

    def norm(name: str, suffix: str = suffix) -> None:
        vector(f"{name}_ln_scale{suffix}", shape.width, around=1.0)
        vector(f"{name}_ln_bias{suffix}", shape.width)

    def attention(name: str) -> None:
        for letter in "qkvo" if shape.projection else "qkv":
            matrix(f"{name}_W{letter}", shape.width, shape.width)
            vector(f"{name}_b{letter}", shape.width)
        norm(f"{name}_Wo")

    def feed_forward(name: str, hidden: int) -> None:
        matrix(f"{name}_W1", shape.width, hidden)
        vector(f"{name}_b1", hidden)
        matrix(f"{name}_W2", hidden, shape.width)
        vector(f"{name}_b2", shape.width)
        norm(f"{name}_ffn")

    if shape.source_vocabulary is None:
        table("Wemb", shape.vocabulary)
    else:
        table("encoder_Wemb", shape.source_vocabulary)
        table("decoder_Wemb", shape.vocabulary)
    if not shape.tied_output:
        table(shape.output, shape.vocabulary)
        if shape.output == "decoder_ff_logit_out_W":
            tensors[shape.output] = np.ascontiguousarray(tensors[shape.output].T)
    if shape.bias:
        vector("decoder_ff_logit_out_b", shape.vocabulary)
    for side in ("encoder", "decoder"):
        if shape.embedding_norm:
            norm(f"{side}_emb", "_pre")
        if shape.top_norm:
            norm(f"{side}_top", "")
    for layer in range(1, shape.encoder + 1):
        attention(f"encoder_l{layer}_self")
        feed_forward(f"encoder_l{layer}_ffn", shape.hidden)
    for layer in range(1, shape.decoder + 1):
        if shape.attends:
            attention(f"decoder_l{layer}_self")
        else:
            matrix(f"decoder_l{layer}_rnn_W", shape.width, shape.width)
            matrix(f"decoder_l{layer}_rnn_Wf", shape.width, shape.width)
            vector(f"decoder_l{layer}_rnn_bf", shape.width)
            norm(f"decoder_l{layer}_rnn_ffn")
        attention(f"decoder_l{layer}_context")
        feed_forward(f"decoder_l{layer}_ffn", shape.decoder_hidden or shape.hidden)
    return tensors


def write_bin(
    path: Path, tensors: Mapping[str, np.ndarray], config: Mapping[str, object] | None, kind: int = FLOAT32
) -> dict[str, np.ndarray]:
    """Writes a model file with its matrices as `kind`; returns the rounded weights."""
    rounded: dict[str, np.ndarray] = {}
    items: list[tuple[str, int, tuple[int, ...], bytes]] = []
    for name, values in tensors.items():
        stored = kind if kind == FLOAT16 or min(values.shape) > 1 else FLOAT32
        data, rounded[name] = _encoded(name, values, stored)
        items.append((name, stored, values.shape, data))
    items.append(("none_QuantMultA", FLOAT32, (1, 1), struct.pack("<f", 20.0)))
    if config is not None:
        text = yaml.safe_dump(dict(config)).encode() + b"\0"
        items.append(("special:model.yml", INT8, (len(text),), text))
    path.write_bytes(layout(items))
    return rounded


def write_npz(path: Path, tensors: Mapping[str, np.ndarray], config: Mapping[str, object] | None) -> None:
    """In Marian's format: arrays by name, including the configuration as bytes."""
    text = (
        {}
        if config is None
        else {"special:model.yml": np.frombuffer(yaml.safe_dump(dict(config)).encode() + b"\0", np.int8)}
    )
    np.savez(path, **tensors, **text)


def train_vocabulary(path: Path, size: int) -> None:
    """A SentencePiece vocabulary of exactly that size; as in the models of Firefox, 0 is EOS."""
    written = io.BytesIO()
    words = ["".join(letters) for letters in itertools.product("bdfgklmnprstvz", "aeiou", "bdfgklmnprstvz")]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(words),
        model_writer=written,
        vocab_size=size,
        model_type="unigram",
        eos_id=0,
        unk_id=1,
        bos_id=-1,
        minloglevel=2,
    )
    path.write_bytes(written.getvalue())


def layout(items: list[tuple[str, int, tuple[int, ...], bytes]]) -> bytes:
    """Header, one directory entry per item, names, shapes, padding to 256 bytes, data."""
    start = struct.pack("<QQ", 1, len(items))
    for name, kind, shape, data in items:
        start += struct.pack("<QQQQ", len(name) + 1, kind, len(shape), len(data))
    start += b"".join(name.encode() + b"\0" for name, *_ in items)
    start += b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in items)
    padding = -(len(start) + 8) % 256
    return start + struct.pack("<Q", padding) + bytes(padding) + b"".join(data for *_, data in items)


def _encoded(name: str, values: np.ndarray, kind: int) -> tuple[bytes, np.ndarray]:
    if kind == FLOAT32:
        return values.astype("<f4").tobytes(), values
    if kind == FLOAT16:
        return values.astype("<f2").tobytes(), values.astype("<f2").astype(np.float32)
    largest, stored = (127, "<i1") if kind == INTGEMM8 else (1023, "<i2")
    multiplier = np.float32(largest / np.abs(values).max())
    integers = np.rint(values * multiplier).astype(stored)
    # All but embeddings are transposed in the file, followed by the multiplier and padding to 256 bytes.
    data = (integers if "Wemb" in name else integers.T).tobytes() + struct.pack("<f", multiplier)
    return data + bytes(-len(data) % 256), integers.astype(np.float32) / multiplier
