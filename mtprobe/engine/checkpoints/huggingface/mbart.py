"""mBART and mBART-50: pre-norm, learned positions, and normalised embeddings."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.huggingface.bart import EPSILON, BartConfig, BartReader
from mtprobe.engine.checkpoints.huggingface.checked_weights import CheckedWeights
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.graphs.weights import Linear, Tensor

OFFSET = 2  # unused rows at the start of the position table


def mbart_model(
    config: BartConfig, weights: Mapping[str, npt.NDArray[np.generic]], where: str = "the model"
) -> TransformerModel:
    """Raises `ModelError`, starting with `where`, if a weight is missing or does not fit."""
    reader = BartReader(config, CheckedWeights(weights, where), norm_first=True, embedding_norm=True)
    tables = reader.shared_tables()
    output = Linear(tables.output, reader.output_bias(config.vocab_size))
    return TransformerModel(
        encoder=reader.encoder(tables.source, _positions(reader, "encoder")),
        decoder=reader.decoder(tables.target, _positions(reader, "decoder"), output),
        activation=reader.activation(),
        norm_first=True,
        epsilon=EPSILON,
    )


def _positions(reader: BartReader, side: str) -> Tensor:
    count, width = reader.config.max_position_embeddings, reader.config.d_model
    return reader.weights.tensor(f"model.{side}.embed_positions.weight", count + OFFSET, width)[OFFSET:]
