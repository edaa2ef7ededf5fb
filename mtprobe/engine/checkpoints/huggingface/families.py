"""The models of each family, from weights in the layout of transformers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.huggingface.bart import (
    EPSILON,
    OUTPUT,
    SOURCE,
    TARGET,
    BartReader,
    CheckedWeights,
    Tables,
)
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.huggingface.weights import read_weights
from mtprobe.engine.graphs.positions import fairseq_positions, marian_positions
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.graphs.weights import Linear, Tensor

MBART_OFFSET = 2  # unused rows at the start of mBART's position table


def read_model(folder: ModelFolder, config: Seq2SeqConfig) -> TransformerModel:
    """Raises `ModelError` if the weights are damaged or do not fit the configuration."""
    builders = {"marian": marian_model, "m2m_100": m2m100_model, "mbart": mbart_model}
    return builders[config.model_type](config, read_weights(folder, config), str(folder.weights[0]))


def marian_model(
    config: Seq2SeqConfig, weights: Mapping[str, npt.NDArray[np.generic]], where: str = "the model"
) -> TransformerModel:
    """Marian models (such as opus-mt): post-norm, sinusoidal positions.

    Raises `ModelError`, starting with `where`, if a weight is missing or does not fit.
    """
    reader = BartReader(config, CheckedWeights(weights, where), norm_first=False, embedding_norm=False)
    shared = config.share_encoder_decoder_embeddings
    tables = reader.shared_tables() if shared else _separate_tables(reader)
    output = Linear(tables.output, reader.output_bias(len(tables.output)))
    return _model(
        reader, tables, _marian_positions(reader, "encoder"), _marian_positions(reader, "decoder"), output
    )


def m2m100_model(
    config: Seq2SeqConfig, weights: Mapping[str, npt.NDArray[np.generic]], where: str = "the model"
) -> TransformerModel:
    """M2M100 and NLLB-200: pre-norm, sinusoidal positions that start after the index of the padding.

    Sentences must not contain the padding token, which would not count as a position.
    """
    reader = BartReader(config, CheckedWeights(weights, where), norm_first=True, embedding_norm=False)
    tables = reader.shared_tables()
    first = config.pad_token_id + 1
    positions = fairseq_positions(config.max_position_embeddings, config.d_model, first)
    return _model(reader, tables, positions, positions, Linear(tables.output, bias=None))


def mbart_model(
    config: Seq2SeqConfig, weights: Mapping[str, npt.NDArray[np.generic]], where: str = "the model"
) -> TransformerModel:
    """mBART and mBART-50: pre-norm, learned positions, and normalised embeddings."""
    reader = BartReader(config, CheckedWeights(weights, where), norm_first=True, embedding_norm=True)
    tables = reader.shared_tables()
    output = Linear(tables.output, reader.output_bias(config.vocab_size))
    return _model(
        reader, tables, _mbart_positions(reader, "encoder"), _mbart_positions(reader, "decoder"), output
    )


def _model(
    reader: BartReader, tables: Tables, source_positions: Tensor, target_positions: Tensor, output: Linear
) -> TransformerModel:
    return TransformerModel(
        encoder=reader.encoder(tables.source, source_positions),
        decoder=reader.decoder(tables.target, target_positions, output),
        activation=reader.activation(),
        norm_first=reader.norm_first,
        epsilon=EPSILON,
    )


def _separate_tables(reader: BartReader) -> Tables:
    weights, config = reader.weights, reader.config
    shape = config.decoder_vocab_size or config.vocab_size, config.d_model
    source = weights.tensor(SOURCE, config.vocab_size, config.d_model)
    if not config.tie_word_embeddings:
        return Tables(source, weights.tensor(TARGET, *shape), weights.tensor(OUTPUT, *shape))
    table = weights.first_of((TARGET, OUTPUT), *shape)
    return Tables(source, table, table)


def _marian_positions(reader: BartReader, side: str) -> Tensor:
    """The positions in the file if it has them; otherwise computed."""
    name, config = f"model.{side}.embed_positions.weight", reader.config
    if name in reader.weights:
        return reader.weights.tensor(name, config.max_position_embeddings, config.d_model)
    return marian_positions(config.max_position_embeddings, config.d_model)


def _mbart_positions(reader: BartReader, side: str) -> Tensor:
    count, width = reader.config.max_position_embeddings + MBART_OFFSET, reader.config.d_model
    return reader.weights.tensor(f"model.{side}.embed_positions.weight", count, width)[MBART_OFFSET:]
