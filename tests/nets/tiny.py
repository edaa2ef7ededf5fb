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
    vocabulary: int = 37
    width: int = 16
    hidden: int = 24
    heads: int = 4
    encoder: int = 2
    decoder: int = 2

    def config(self) -> dict[str, object]:
        return {
            "type": "transformer",
            "transformer-decoder-autoreg": "rnn",
            "dec-cell": "ssru",
            "enc-depth": self.encoder,
            "dec-depth": self.decoder,
            "transformer-heads": self.heads,
            "transformer-postprocess": "dan",
            "transformer-preprocess": "",
            "transformer-ffn-activation": "relu",
            "tied-embeddings-all": True,
        }


def random_tensors(shape: Shape, seed: int = 0) -> dict[str, np.ndarray]:
    """Weights large enough that every layer matters to the outcome."""
    random = np.random.default_rng(seed)
    tensors: dict[str, np.ndarray] = {}

    def matrix(name: str, rows: int, columns: int) -> None:
        tensors[name] = (random.standard_normal((rows, columns)) * rows**-0.5).astype(np.float32)

    def vector(name: str, size: int, around: float = 0.0) -> None:
        tensors[name] = (around + 0.2 * random.standard_normal((1, size))).astype(np.float32)

    def norm(name: str) -> None:
        vector(f"{name}_ln_scale", shape.width, around=1.0)
        vector(f"{name}_ln_bias", shape.width)

    def attention(name: str) -> None:
        for letter in "qkvo":
            matrix(f"{name}_W{letter}", shape.width, shape.width)
            vector(f"{name}_b{letter}", shape.width)
        norm(f"{name}_Wo")

    def feed_forward(name: str) -> None:
        matrix(f"{name}_W1", shape.width, shape.hidden)
        vector(f"{name}_b1", shape.hidden)
        matrix(f"{name}_W2", shape.hidden, shape.width)
        vector(f"{name}_b2", shape.width)
        norm(f"{name}_ffn")

    tensors["Wemb"] = random.standard_normal((shape.vocabulary, shape.width)).astype(np.float32) * np.float32(
        0.4
    )
    vector("decoder_ff_logit_out_b", shape.vocabulary)
    for layer in range(1, shape.encoder + 1):
        attention(f"encoder_l{layer}_self")
        feed_forward(f"encoder_l{layer}_ffn")
    for layer in range(1, shape.decoder + 1):
        matrix(f"decoder_l{layer}_rnn_W", shape.width, shape.width)
        matrix(f"decoder_l{layer}_rnn_Wf", shape.width, shape.width)
        vector(f"decoder_l{layer}_rnn_bf", shape.width)
        norm(f"decoder_l{layer}_rnn_ffn")
        attention(f"decoder_l{layer}_context")
        feed_forward(f"decoder_l{layer}_ffn")
    return tensors


def write_bin(
    path: Path, tensors: Mapping[str, np.ndarray], config: Mapping[str, object] | None, kind: int = FLOAT32
) -> dict[str, np.ndarray]:
    """Writes a model file with its matrices as `kind`; gives the weights as rounding has left them."""
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


def train_vocabulary(path: Path, size: int) -> None:
    """A SentencePiece vocabulary of exactly that size; as in the models of Firefox, 0 is the end."""
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
    """Header, one directory entry an item, names, shapes, padding to 256 bytes, data."""
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
    # All but embeddings lie transposed in the file; the multiplier follows, and what fills up to 256 bytes.
    data = (integers if "Wemb" in name else integers.T).tobytes() + struct.pack("<f", multiplier)
    return data + bytes(-len(data) % 256), integers.astype(np.float32) / multiplier
