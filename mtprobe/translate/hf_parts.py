"""From the weights of a Hugging Face model to its network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mtprobe.hub.config import Seq2SeqConfig
from mtprobe.hub.files import ModelFolder
from mtprobe.hub.weights import read_weights
from mtprobe.nets.built import transformer_parts
from mtprobe.nets.dtype import Dtype
from mtprobe.nets.m2m100 import m2m100_model
from mtprobe.nets.marian import marian_model
from mtprobe.nets.mbart import mbart_model
from mtprobe.nets.parts import Parts
from mtprobe.nets.transformer import TransformerModel

_BUILDERS: Mapping[str, Callable[[Any, Any, str], TransformerModel]] = {
    "marian": marian_model,
    "m2m_100": m2m100_model,
    "mbart": mbart_model,
}


def hf_parts(folder: ModelFolder, config: Seq2SeqConfig, dtype: Dtype = "fp32") -> Parts:
    """Reads the weights; damaged ones, and ones that do not fit the configuration, are a `ModelError`."""
    model = _BUILDERS[config.model_type](config, read_weights(folder, config), str(folder.weights[0]))
    return transformer_parts(model, dtype)
