from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.engine.checkpoints.huggingface.config import (
    Generation,
    Seq2SeqConfig,
    UnknownArchitecture,
    read_config,
)
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.errors import ModelError
from tests.engine.checkpoints.factory import SHAPE, put, put_config


def folder(path: Path) -> ModelFolder:
    return ModelFolder(str(path), path, ())


def config_of(path: Path) -> Seq2SeqConfig:
    config = read_config(folder(path))
    assert isinstance(config, Seq2SeqConfig)
    return config


def change(path: Path, **fields: object) -> None:
    put(path, {**json.loads(path.read_text()), **fields})


@pytest.fixture
def marian(tmp_path: Path) -> Path:
    """As in opus-mt-en-de, including generation settings."""
    put_config(
        tmp_path,
        "marian",
        58101,
        **{"activation_function": "swish", "scale_embedding": True, "num_beams": 6, "max_length": 512},
        **{"bad_words_ids": [[58100]], "forced_eos_token_id": 0, "normalize_before": False, "dropout": 0.1},
        **{"architectures": ["MarianMTModel"], "static_position_embeddings": True},
    )
    return tmp_path


def test_marian(marian: Path) -> None:
    config = config_of(marian)
    assert {name: getattr(config, name) for name in SHAPE} == SHAPE
    assert (config.model_type, config.activation_function, config.scale_embedding) == (
        "marian",
        "swish",
        True,
    )
    assert (config.vocab_size, config.decoder_vocab_size) == (58101, 58101)
    assert config.share_encoder_decoder_embeddings
    assert config.tie_word_embeddings
    assert (config.pad_token_id, config.eos_token_id, config.decoder_start_token_id) == (58100, 0, 58100)
    assert config.generation == Generation(
        num_beams=6, max_length=512, bad_words_ids=((58100,),), forced_eos_token_id=0
    )


def test_two_vocabularies(tmp_path: Path) -> None:
    put_config(
        tmp_path,
        "marian",
        100,
        **{"decoder_vocab_size": 120, "share_encoder_decoder_embeddings": False},
        **{"pad_token_id": 99, "decoder_start_token_id": 119},
    )
    config = config_of(tmp_path)
    assert (config.vocab_size, config.decoder_vocab_size, config.decoder_start_token_id) == (100, 120, 119)
    assert not config.share_encoder_decoder_embeddings


def test_m2m100(tmp_path: Path) -> None:
    put_config(tmp_path, "m2m_100", 200, num_beams=5, early_stopping=True, max_length=200)
    config = config_of(tmp_path)
    assert (config.activation_function, config.scale_embedding) == ("relu", True)
    assert (config.pad_token_id, config.eos_token_id, config.decoder_start_token_id) == (1, 2, 2)
    assert config.generation == Generation(num_beams=5, early_stopping=True, max_length=200)


def test_mbart(tmp_path: Path) -> None:
    put_config(tmp_path, "mbart", 200, decoder_start_token_id=None, scale_embedding=True)
    config = config_of(tmp_path)
    assert (config.activation_function, config.decoder_start_token_id) == ("gelu", 2)


def test_generation_config_replaces_the_settings_of_config(marian: Path) -> None:
    put(
        marian / "generation_config.json",
        {"num_beams": 4, "length_penalty": 0.6, "renormalize_logits": True, "decoder_start_token_id": 58100},
    )
    assert config_of(marian).generation == Generation(
        num_beams=4, length_penalty=0.6, renormalize_logits=True
    )


def test_settings_that_also_change_translations_are_named(marian: Path) -> None:
    put(
        marian / "generation_config.json",
        {"no_repeat_ngram_size": 3, "do_sample": False, "suppress_tokens": [], "repetition_penalty": 1.2},
    )
    assert config_of(marian).generation.other_settings == ("no_repeat_ngram_size", "repetition_penalty")


def test_an_unknown_architecture_says_so(tmp_path: Path) -> None:
    put(tmp_path / "config.json", {"model_type": "t5", "d_kv": 64})
    assert read_config(folder(tmp_path)) == UnknownArchitecture("t5")


def test_a_list_of_one_end_is_one_end(marian: Path) -> None:
    change(marian / "config.json", eos_token_id=[0])
    assert config_of(marian).eos_token_id == 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"model_type": None}, '"model_type": the field is missing'),
        ({"model_type": 5}, '"model_type": 5 is not a string'),
        ({"d_model": None}, '"d_model": the field is missing'),
        ({"d_model": "512"}, "\"d_model\": '512' is not a whole number"),
        ({"d_model": True}, '"d_model": True is not a whole number'),
        ({"d_model": -512}, '"d_model": -512 is not between 4 and 65536'),
        ({"encoder_layers": 0}, '"encoder_layers": 0 is not between 1 and 1000'),
        ({"decoder_attention_heads": 3}, '"decoder_attention_heads": 3 heads do not divide the width of 16'),
        ({"vocab_size": 10**9}, '"vocab_size": 1000000000 is not between'),
        ({"scale_embedding": "yes"}, "\"scale_embedding\": 'yes' is neither true nor false"),
        ({"eos_token_id": 58101}, '"eos_token_id": 58101 is not between 0 and 58100'),
        ({"eos_token_id": [0, 1]}, '"eos_token_id": [0, 1]: exactly one token is supported'),
        ({"bad_words_ids": [7]}, '"bad_words_ids": [7] is not a list of lists of tokens'),
        ({"bad_words_ids": [[58101]]}, '"bad_words_ids": 58101 is not between 0 and 58100'),
        ({"num_beams": 0}, '"num_beams": 0 is not between 1 and 100'),
        ({"length_penalty": float("nan")}, "not JSON: NaN is not a number"),
        ({"length_penalty": 10**400}, '"length_penalty": 10000'),
        (
            {"max_position_embeddings": 10**7},
            '"max_position_embeddings": 10000000 is not between 1 and 16384',
        ),
    ],
)
def test_what_cannot_be_true_is_named(marian: Path, fields: dict[str, object], message: str) -> None:
    change(marian / "config.json", **fields)
    with pytest.raises(ModelError) as error:
        read_config(folder(marian))
    assert str(error.value).startswith(f"{marian / 'config.json'}: ")
    assert message in str(error.value)


def test_a_mistake_in_generation_config_is_named_there(marian: Path) -> None:
    put(marian / "generation_config.json", {"num_beams": "many"})
    with pytest.raises(ModelError, match=r'generation_config.json: "num_beams": \'many\' is not'):
        read_config(folder(marian))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "config.json: the file is empty"),
        (b'{"model_type": "marian",', "config.json:1:25: not JSON: Expecting property name"),
        (b"<!DOCTYPE html><html>", "not JSON; it is an HTML or XML page"),
        (b"version https://git-lfs.github.com/spec/v1", "not JSON; it is a Git LFS pointer"),
        (b"\x1f\x8b\x08\x00rest", "not JSON; it is compressed"),
        (b"\xff\xfe\x00", "config.json: not JSON"),
        (b"[]", "config.json: JSON, but not an object"),
        (b"[" * 100_000, "config.json: not JSON"),
    ],
)
def test_a_file_that_is_no_configuration(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(ModelError) as error:
        read_config(folder(tmp_path))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", ["Marian", "M2M100", "MBart"])
def test_it_agrees_with_transformers(tmp_path: Path, kind: str) -> None:
    """On a file written by transformers, with its defaults only."""
    transformers = pytest.importorskip("transformers")
    theirs = getattr(transformers, f"{kind}Config")()
    theirs.save_pretrained(tmp_path)
    ours = config_of(tmp_path)
    for name in (*SHAPE, "activation_function", "scale_embedding", "vocab_size", "tie_word_embeddings"):
        assert getattr(ours, name) == getattr(theirs, name)
    for name in ("pad_token_id", "eos_token_id", "bos_token_id"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.decoder_vocab_size == getattr(theirs, "decoder_vocab_size", theirs.vocab_size)
    assert ours.decoder_start_token_id == (theirs.decoder_start_token_id or theirs.eos_token_id)
