"""M2M100 and NLLB models against transformers' own."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mtprobe.engine.checkpoints.huggingface.families import m2m100_model
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
    "untied output": {"tie_word_embeddings": False, "scale_embedding": False, "activation_function": "gelu"},
    "odd": {"d_model": 40, "encoder_attention_heads": 2, "decoder_attention_heads": 8, "pad_token_id": 3},
}


@pytest.fixture(scope="module", params=SHAPES, ids=lambda name: name.replace(" ", "-"))
def pair(request) -> Pair:
    config = transformers.M2M100Config(**{**USUAL, **SHAPES[request.param]})
    return make_pair(transformers.M2M100ForConditionalGeneration, config, m2m100_model, prefix=(2, 115))


class TestM2M100(NetworkLaws):
    pass


@pytest.mark.parametrize(
    "name",
    [
        "model.encoder.layer_norm.weight",
        "model.decoder.layer_norm.bias",
        "model.decoder.layers.1.encoder_attn.out_proj.weight",
    ],
)
def test_a_missing_or_misshapen_tensor_is_named(name):
    config = transformers.M2M100Config(**USUAL)
    weights = weights_of(transformers.M2M100ForConditionalGeneration(config))
    with pytest.raises(ModelError, match=f'"{re.escape(name)}" has the shape'):
        m2m100_model(config, {**weights, name: np.zeros((3, 3), np.float32)})
    del weights[name]
    with pytest.raises(ModelError, match=f'"{re.escape(name)}" is missing'):
        m2m100_model(config, weights)
