"""mBART models against transformers' own."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mtprobe.engine.checkpoints.huggingface.families import mbart_model
from mtprobe.errors import ModelError
from tests.engine.network_laws import NetworkLaws
from tests.engine.torch_models import Pair, make_pair, weights_of

transformers = pytest.importorskip("transformers")

USUAL = {
    "vocab_size": 119,
    "d_model": 32,
    "encoder_layers": 3,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 56,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 64,
    "scale_embedding": True,
    "forced_eos_token_id": None,
    "decoder_start_token_id": 2,
}
SHAPES = {
    "usual": {},
    "untied output": {"tie_word_embeddings": False, "scale_embedding": False, "activation_function": "relu"},
    "odd": {"d_model": 40, "encoder_attention_heads": 2, "decoder_attention_heads": 8},
}


@pytest.fixture(scope="module", params=SHAPES, ids=lambda name: name.replace(" ", "-"))
def pair(request) -> Pair:
    config = transformers.MBartConfig(**{**USUAL, **SHAPES[request.param]})
    return make_pair(transformers.MBartForConditionalGeneration, config, mbart_model, prefix=(2, 115))


class TestMBart(NetworkLaws):
    pass


@pytest.mark.parametrize(
    "name",
    [
        "model.encoder.layernorm_embedding.weight",
        "model.decoder.layernorm_embedding.bias",
        "model.decoder.embed_positions.weight",
        "model.encoder.layer_norm.bias",
    ],
)
def test_a_missing_or_misshapen_tensor_is_named(name):
    config = transformers.MBartConfig(**USUAL)
    weights = weights_of(transformers.MBartForConditionalGeneration(config))
    with pytest.raises(ModelError, match=f'"{re.escape(name)}" has the shape'):
        mbart_model(config, {**weights, name: np.zeros((3, 3), np.float32)})
    del weights[name]
    with pytest.raises(ModelError, match=f'"{re.escape(name)}" is missing'):
        mbart_model(config, weights)
