"""Builds the network of a Hugging Face model from its weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mtprobe.backends.device import Dtype
from mtprobe.engine.build import transformer_definition
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.huggingface.m2m100 import m2m100_model
from mtprobe.engine.checkpoints.huggingface.marian import marian_model
from mtprobe.engine.checkpoints.huggingface.mbart import mbart_model
from mtprobe.engine.checkpoints.huggingface.weights import read_weights
from mtprobe.engine.graphs.definition import NetworkDefinition
from mtprobe.engine.graphs.transformer import TransformerModel

_BUILDERS: Mapping[str, Callable[[Any, Any, str], TransformerModel]] = {
    "marian": marian_model,
    "m2m_100": m2m100_model,
    "mbart": mbart_model,
}


def hf_definition(folder: ModelFolder, config: Seq2SeqConfig, dtype: Dtype = "fp32") -> NetworkDefinition:
    """Raises `ModelError` if the weights are damaged or do not fit the configuration."""
    model = _BUILDERS[config.model_type](config, read_weights(folder, config), str(folder.weights[0]))
    return transformer_definition(model, dtype)
