"""M2M100 and NLLB-200: pre-norm, sinusoidal positions that start after the index of the padding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.huggingface.bart import EPSILON, BartConfig, BartReader
from mtprobe.engine.checkpoints.huggingface.checked_weights import CheckedWeights
from mtprobe.engine.graphs.positions import fairseq_positions
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.graphs.weights import Linear


class M2M100Config(BartConfig, Protocol):
    @property
    def pad_token_id(self) -> int | None: ...


def m2m100_model(
    config: M2M100Config, weights: Mapping[str, npt.NDArray[np.generic]], where: str = "the model"
) -> TransformerModel:
    """Raises `ModelError`, starting with `where`, if a weight is missing or does not fit.

    Sentences must not contain the padding token, which would not count as a position.
    """
    reader = BartReader(config, CheckedWeights(weights, where), norm_first=True, embedding_norm=False)
    tables = reader.shared_tables()
    padding = 1 if config.pad_token_id is None else config.pad_token_id
    positions = fairseq_positions(config.max_position_embeddings, config.d_model, first=padding + 1)
    return TransformerModel(
        encoder=reader.encoder(tables.source, positions),
        decoder=reader.decoder(tables.target, positions, Linear(tables.output, bias=None)),
        activation=reader.activation(),
        norm_first=True,
        epsilon=EPSILON,
    )
