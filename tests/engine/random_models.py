"""Random models without files or a framework, in any number format, on the CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mtprobe.backends.device import Device
from mtprobe.engine.build import ssru_definition, transformer_definition
from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile
from mtprobe.engine.checkpoints.bergamot.ssru_decoder import ssru_model
from mtprobe.engine.engines import open_network
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.transformer import (
    Attention,
    Decoder,
    DecoderLayer,
    Embedding,
    Encoder,
    EncoderLayer,
    FeedForward,
    TransformerModel,
)
from mtprobe.engine.graphs.weights import Linear, Norm
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.transformer_network import TransformerNetwork
from tests.engine.tiny import Shape, random_tensors

CPU = Device("cpu")
SHAPE = Shape(vocabulary=120, width=32, hidden=48, heads=4, encoder=2, decoder=2)
VOCABULARY, WIDTH, POSITIONS, END = SHAPE.vocabulary, SHAPE.width, 60, 0


def transformer_model(
    seed: int = 0, norm_first: bool = False, vocabulary: int = VOCABULARY
) -> TransformerModel:
    random = np.random.default_rng(seed)

    def normal(*shape: int) -> np.ndarray:
        return random.standard_normal(shape).astype(np.float32)

    def linear(inside: int, out: int) -> Linear:
        return Linear(normal(out, inside) * np.float32(1.5 * inside**-0.5), np.float32(0.2) * normal(out))

    def norm() -> Norm:
        return Norm(1 + np.float32(0.2) * normal(WIDTH), np.float32(0.2) * normal(WIDTH))

    def attention() -> Attention:
        return Attention(*(linear(WIDTH, WIDTH) for _ in range(4)), norm())

    def feed_forward() -> FeedForward:
        return FeedForward(linear(WIDTH, SHAPE.hidden), linear(SHAPE.hidden, WIDTH), norm())

    table = np.float32(0.25) * normal(vocabulary, WIDTH)
    embedding = Embedding(table, WIDTH**0.5, normal(POSITIONS, WIDTH), None)
    last = norm() if norm_first else None
    return TransformerModel(
        Encoder(embedding, tuple(EncoderLayer(attention(), feed_forward()) for _ in range(2)), 4, last),
        Decoder(
            embedding,
            tuple(DecoderLayer(attention(), attention(), feed_forward()) for _ in range(2)),
            4,
            last,
            Linear(table, np.float32(0.3) * normal(vocabulary)),
        ),
        activation="silu",
        norm_first=norm_first,
        epsilon=1e-5,
    )


def transformer(dtype="fp32", device=CPU, **settings) -> TransformerNetwork:
    return open_network(transformer_definition(transformer_model(**settings), dtype), device, 1)


def random_ssru_model() -> SsruModel:
    return ssru_model(BergamotFile(Path("random"), random_tensors(SHAPE), SHAPE.config()))


def ssru(dtype="fp32", device=CPU) -> SsruNetwork:
    return open_network(ssru_definition(random_ssru_model(), POSITIONS, dtype), device, 1)


def sentences(count: int, seed: int, longest: int = 20) -> list[tuple[int, ...]]:
    random = np.random.default_rng(seed)
    return [
        (*random.integers(1, VOCABULARY, random.integers(0, longest)).tolist(), END) for _ in range(count)
    ]


def scores(network: TransformerNetwork | SsruNetwork, sources, targets) -> list[np.ndarray]:
    return network.score(sources, targets, [(END,)] * len(sources))
