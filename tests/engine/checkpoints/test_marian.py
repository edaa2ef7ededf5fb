"""Marian models against transformers' own."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mtprobe.engine.checkpoints.huggingface.families import marian_model
from mtprobe.errors import ModelError
from tests.engine.network_laws import NetworkLaws
from tests.engine.torch_models import Pair, make_pair, weights_of

transformers = pytest.importorskip("transformers")

USUAL = {
    "vocab_size": 123,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 56,
    "activation_function": "swish",
    "scale_embedding": True,
    "max_position_embeddings": 64,
    "pad_token_id": 122,
    "decoder_start_token_id": 122,
    "eos_token_id": 0,
    "forced_eos_token_id": None,
}
SHAPES = {
    "usual": {},
    "separate vocabularies": {
        "share_encoder_decoder_embeddings": False,
        "decoder_vocab_size": 131,
        "activation_function": "relu",
    },
    "untied output": {
        "tie_word_embeddings": False,
        "scale_embedding": False,
        "activation_function": "gelu",
        "encoder_attention_heads": 2,
    },
    "odd": {
        "d_model": 40,
        "decoder_attention_heads": 8,
        "encoder_layers": 1,
        "activation_function": "gelu_new",
    },
}


@pytest.fixture(scope="module", params=SHAPES, ids=lambda name: name.replace(" ", "-"))
def pair(request) -> Pair:
    config = transformers.MarianConfig(**{**USUAL, **SHAPES[request.param]})
    return make_pair(transformers.MarianMTModel, config, marian_model, prefix=(122,), seed=3)


class TestMarian(NetworkLaws):
    pass


def test_sentences_beyond_the_positions_are_refused(pair):
    long, short = (*[5] * 64, 0), (5, 0)
    for source, target, what in ((long, short, "source"), (short, long, "target")):
        with pytest.raises(ValueError, match=f"a {what} has 65 tokens; this model has positions for 64"):
            pair.ours.score([short, source], [short, target], [(122,)] * 2)
    assert len(pair.ours.score([long[1:]], [long[1:]], [(122,)])[0]) == 64


@pytest.fixture(scope="module")
def usual():
    config = transformers.MarianConfig(**USUAL)
    return config, weights_of(transformers.MarianMTModel(config))


TIED = (
    "model.shared.weight",
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
)


@pytest.mark.parametrize("kept", TIED)
def test_a_tied_table_may_go_by_any_of_its_names(usual, kept):
    config, weights = usual
    left = {name: values for name, values in weights.items() if name not in TIED or name == kept}
    model = marian_model(config, left)
    assert model.encoder.embedding.table is model.decoder.output.matrix


def test_positions_and_the_output_bias_may_be_left_out(usual):
    config, weights = usual
    left = {
        name: values
        for name, values in weights.items()
        if "positions" not in name and "bias" not in name[:20]
    }
    model = marian_model(config, left)
    np.testing.assert_allclose(
        model.encoder.embedding.positions, weights["model.encoder.embed_positions.weight"], rtol=0, atol=1e-7
    )
    assert model.decoder.output.bias is None


@pytest.mark.parametrize(
    "name",
    [
        "model.shared.weight",
        "model.encoder.layers.1.fc1.weight",
        "model.decoder.layers.2.encoder_attn.v_proj.weight",
        "model.decoder.layers.0.self_attn_layer_norm.bias",
    ],
)
def test_a_missing_tensor_is_named(usual, name):
    config, weights = usual
    left = {
        key: values
        for key, values in weights.items()
        if key != name and (name not in TIED or key not in TIED)
    }
    with pytest.raises(ModelError, match=f'^model.bin: the tensor "{re.escape(name)}" is missing'):
        marian_model(config, left, where="model.bin")


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("model.encoder.layers.0.self_attn.q_proj.weight", (32, 31)),
        ("model.decoder.layers.2.fc2.bias", (33,)),
        ("final_logits_bias", (1, 122)),
        ("model.shared.weight", (122, 32)),
        ("model.decoder.embed_positions.weight", (63, 32)),
    ],
)
def test_a_tensor_of_another_shape_is_named_with_both_shapes(usual, name, shape):
    config, weights = usual
    with pytest.raises(
        ModelError, match=rf'"{re.escape(name)}" has the shape {re.escape(str(shape))}; expected'
    ):
        marian_model(config, {**weights, name: np.zeros(shape, np.float32)})


def test_weights_that_are_not_finite_are_refused(usual):
    config, weights = usual
    name = "model.encoder.layers.0.fc1.bias"
    with pytest.raises(ModelError, match=rf'"{re.escape(name)}" contains values that are not finite'):
        marian_model(config, {**weights, name: np.full(48, np.nan, np.float32)})


def test_an_unknown_activation_is_refused(usual):
    config, weights = usual
    config = transformers.MarianConfig(**{**USUAL, "activation_function": "quick_gelu"})
    with pytest.raises(ModelError, match="quick_gelu"):
        marian_model(config, weights)


def test_heads_must_divide_the_width(usual):
    config, weights = usual
    config = transformers.MarianConfig(**{**USUAL, "decoder_attention_heads": 5})
    with pytest.raises(ModelError, match="5 decoder heads"):
        marian_model(config, weights)
