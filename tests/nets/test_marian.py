"""Marian models against transformers' own."""

from __future__ import annotations

import pytest

from mtprobe.errors import ModelError
from mtprobe.nets.marian import marian_model

from . import network_laws as laws
from .torch_models import Pair, make_pair, weights_of

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
        "scale_embedding": False,
    },
    "untied output": {"tie_word_embeddings": False, "activation_function": "gelu", "encoder_attention_heads": 2},
    "odd": {"d_model": 40, "decoder_attention_heads": 8, "encoder_layers": 1, "activation_function": "gelu_new"},
}


@pytest.fixture(scope="module", params=SHAPES, ids=lambda name: name.replace(" ", "-"))
def pair(request) -> Pair:
    config = transformers.MarianConfig(**{**USUAL, **SHAPES[request.param]})
    return make_pair(transformers.MarianMTModel, config, marian_model, prefix=(122,))


def test_scores_are_those_of_torch(pair):
    laws.scores_are_those_of_torch(pair)


def test_a_score_does_not_depend_on_its_batch(pair):
    laws.scores_do_not_depend_on_the_batch(pair)


def test_greedy_translations_are_those_of_torch(pair):
    laws.greedy_translations_are_those_of_torch(pair)


def test_steps_follow_any_rows(pair):
    laws.steps_follow_any_rows(pair)
