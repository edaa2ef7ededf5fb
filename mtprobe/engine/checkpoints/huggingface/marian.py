"""Marian models (such as opus-mt) as transformers stores them: post-norm, sinusoidal positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.huggingface.bart import (
    EPSILON,
    OUTPUT,
    SOURCE,
    TARGET,
    BartConfig,
    BartReader,
    Tables,
)
from mtprobe.engine.checkpoints.huggingface.checked_weights import CheckedWeights
from mtprobe.engine.graphs.positions import marian_positions
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.graphs.weights import Linear, Tensor


class MarianConfig(BartConfig, Protocol):
    @property
    def share_encoder_decoder_embeddings(self) -> bool: ...
    @property
    def decoder_vocab_size(self) -> int | None: ...


def marian_model(
    config: MarianConfig, weights: Mapping[str, npt.NDArray[np.generic]], where: str = "the model"
) -> TransformerModel:
    """Raises `ModelError`, starting with `where`, if a weight is missing or does not fit."""
    reader = BartReader(config, CheckedWeights(weights, where), norm_first=False, embedding_norm=False)
    tables = (
        reader.shared_tables()
        if config.share_encoder_decoder_embeddings
        else _separate_tables(reader, config)
    )
    return TransformerModel(
        encoder=reader.encoder(tables.source, _positions(reader, "encoder")),
        decoder=reader.decoder(
            tables.target,
            _positions(reader, "decoder"),
            Linear(tables.output, reader.output_bias(len(tables.output))),
        ),
        activation=reader.activation(),
        norm_first=False,
        epsilon=EPSILON,
    )


def _separate_tables(reader: BartReader, config: MarianConfig) -> Tables:
    weights, shape = reader.weights, (config.decoder_vocab_size or config.vocab_size, config.d_model)
    source = weights.tensor(SOURCE, config.vocab_size, config.d_model)
    if not config.tie_word_embeddings:
        return Tables(source, weights.tensor(TARGET, *shape), weights.tensor(OUTPUT, *shape))
    table = weights.first_of((TARGET, OUTPUT), *shape)
    return Tables(source, table, table)


def _positions(reader: BartReader, side: str) -> Tensor:
    """Those of the file, if it has them; otherwise computed."""
    name, config = f"model.{side}.embed_positions.weight", reader.config
    if name in reader.weights:
        return reader.weights.tensor(name, config.max_position_embeddings, config.d_model)
    return marian_positions(config.max_position_embeddings, config.d_model)
