"""Damaged files of weights: one clear error that names the file."""

from __future__ import annotations

import struct
import tracemalloc

import numpy as np
import pytest

from mtprobe.engine.checkpoints.bergamot.architecture import read_model
from mtprobe.errors import ModelError
from tests.engine.tiny import FLOAT32, INT8, INTGEMM8, Shape, layout, random_tensors, write_bin


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.xxyy.bin"


@pytest.fixture
def content(path) -> bytes:
    write_bin(path, random_tensors(Shape()), Shape().config(), INTGEMM8)
    return path.read_bytes()


def complaint(path) -> str:
    with pytest.raises(ModelError) as caught:
        read_model(path, None, longest=40)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_empty_file_is_too_short(path):
    path.write_bytes(b"")
    assert "too short" in complaint(path)


def test_a_missing_file_is_named(path):
    assert "No such file" in complaint(path)


def test_a_folder_is_not_a_file(path):
    path.mkdir()
    assert "cannot be read" in complaint(path)


@pytest.mark.parametrize(
    "page", ["<!DOCTYPE html><html><body>404: Not Found</body></html>", "\n <html>\n" + "x" * 99]
)
def test_a_web_page_is_recognised(path, page):
    path.write_text(page)
    assert "HTML" in complaint(path)


def test_a_compressed_file_is_recognised(path):
    path.write_bytes(b"\x1f\x8b\x08\x00" + bytes(200))
    assert "unpack it first" in complaint(path)


def test_a_pointer_to_large_file_storage_is_recognised(path):
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 17140836\n")
    assert "git lfs pull" in complaint(path)


def test_wherever_a_file_is_cut_off_it_is_noticed(path, content):
    for kept in (16, 17, 40, 200, 1000, len(content) // 2, len(content) - 300, len(content) - 1):
        path.write_bytes(content[:kept])
        assert "truncated" in complaint(path)


@pytest.mark.parametrize("count", [10**6, 2**40, 2**63, 2**64 - 1])
def test_an_absurd_number_of_tensors_costs_no_memory(path, content, count):
    path.write_bytes(struct.pack("<QQ", 1, count) + content[16:])
    tracemalloc.start()
    assert f"{count} tensors" in complaint(path)
    assert tracemalloc.get_traced_memory()[1] < 10 * len(content)
    tracemalloc.stop()


@pytest.mark.parametrize("field", [0, 2, 3], ids=["name length", "dimensions", "data length"])
@pytest.mark.parametrize("value", [10**9, 2**62, 2**64 - 1])
def test_an_absurd_length_in_the_directory_is_noticed(path, content, field, value):
    at = 16 + 8 * field
    path.write_bytes(content[:at] + struct.pack("<Q", value) + content[at + 8 :])
    assert "bytes" in complaint(path)


@pytest.mark.parametrize("shape", [(2**31 - 1, 2**31 - 1), (-1, 4), (70000, 70000)], ids=str)
def test_a_shape_that_the_data_cannot_fill_is_noticed(path, shape):
    path.write_bytes(layout([("Wemb", FLOAT32, shape, bytes(64))]))
    assert '"Wemb"' in complaint(path)


def test_an_unknown_type_is_named_with_its_tensor(path):
    path.write_bytes(layout([("encoder_l1_self_Wq", 0x1801, (4, 4), bytes(64))]))
    assert '"encoder_l1_self_Wq"' in complaint(path)
    assert "0x1801" in complaint(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_noticed(path, value):
    tensors = random_tensors(Shape())
    tensors["encoder_l2_ffn_b1"][0, 3] = value
    write_bin(path, tensors, Shape().config())
    assert "encoder_l2_ffn_b1" in complaint(path)


@pytest.mark.parametrize("multiplier", [0.0, -1.0, float("nan")])
def test_a_multiplier_that_means_nothing_is_noticed(path, multiplier):
    path.write_bytes(layout([("Wemb", INTGEMM8, (4, 4), bytes(16) + struct.pack("<f", multiplier))]))
    assert "multiplier" in complaint(path)


def test_another_version_of_the_format_is_named(path):
    path.write_bytes(struct.pack("<QQ", 7, 1) + bytes(300))
    assert "version 7" in complaint(path)


@pytest.mark.parametrize("text", [b"\xff\xfe\0", b"a: [unclosed\0", b"just words\0"])
def test_a_configuration_that_cannot_be_read_is_noticed(path, text):
    path.write_bytes(layout([("special:model.yml", INT8, (len(text),), text)]))
    assert "special:model.yml" in complaint(path)


@pytest.mark.parametrize(
    "name", ["Wemb", "decoder_ff_logit_out_b", "encoder_l2_self_Wo", "decoder_l1_rnn_Wf"]
)
def test_a_missing_tensor_is_named(path, name):
    tensors = random_tensors(Shape())
    del tensors[name]
    write_bin(path, tensors, Shape().config())
    assert f'"{name}" is missing' in complaint(path)


def test_a_missing_last_layer_is_noticed(path):
    write_bin(path, random_tensors(Shape(encoder=2)), Shape(encoder=3).config())
    assert "should have 3 layers but has 2" in complaint(path)


def test_a_tensor_of_the_wrong_shape_is_named(path):
    tensors = random_tensors(Shape())
    tensors["decoder_l2_ffn_b2"] = tensors["decoder_l2_ffn_b2"][:, :-1]
    write_bin(path, tensors, Shape().config())
    assert "decoder_l2_ffn_b2" in complaint(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("type", "amun"),
        ("transformer-decoder-autoreg", "average-attention"),
        ("dec-cell", "gru"),
        ("transformer-preprocess", "n"),
        ("transformer-ffn-activation", "swish"),
        ("transformer-ffn-depth", 3),
        ("transformer-train-position-embeddings", True),
        ("transformer-tied-layers", "all"),
        ("lemma-dim-emb", 8),
        ("transformer-heads", 0),
        ("transformer-heads", 5),
    ],
)
def test_an_architecture_that_we_would_compute_wrongly_is_refused(path, key, value):
    write_bin(path, random_tensors(Shape()), Shape().config() | {key: value})
    message = complaint(path)
    assert key in message or str(value) in message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("transformer-preprocess", "n"),
        ("transformer-postprocess", "dar"),
        ("transformer-postprocess-emb", "h"),
        ("transformer-postprocess-top", "a"),
        ("transformer-ffn-activation", "tanh"),
        ("transformer-heads", 5),
    ],
)
def test_an_attending_decoder_that_we_would_compute_wrongly_is_refused(path, key, value):
    shape = Shape(attends=True)
    write_bin(path, random_tensors(shape), shape.config() | {key: value})
    message = complaint(path)
    assert key in message or str(value) in message


@pytest.mark.parametrize("key", ["transformer-heads", "transformer-ffn-activation"])
def test_what_the_weights_cannot_tell_has_to_be_said(path, key):
    shape = Shape(attends=True)
    config = shape.config()
    del config[key]
    write_bin(path, random_tensors(shape), config)
    assert key in complaint(path)
    assert "model.xxyy.bin.yml" in complaint(path)


def test_averaging_decoders_are_recognised_by_their_tensors(path):
    tensors = random_tensors(Shape())
    write_bin(path, tensors | {"decoder_l1_aan_W1": tensors["encoder_l1_ffn_W1"]}, config=None)
    assert "average-attention" in complaint(path)


@pytest.mark.parametrize("name", ["Wpos", "decoder_l1_context_enc2_Wq", "encoder_l1_ffn_ffn_rms_scale"])
def test_a_tensor_that_would_be_left_out_is_named(path, name):
    shape = Shape(attends=True)
    tensors = random_tensors(shape)
    write_bin(path, tensors | {name: tensors["encoder_l1_self_Wq"]}, shape.config())
    assert name in complaint(path)


@pytest.mark.parametrize(
    ("config", "missing"),
    [
        ({"tied-embeddings-all": False}, "encoder_Wemb"),
        ({"tied-embeddings-all": False, "tied-embeddings-src": True}, "decoder_ff_logit_out_Wt"),
    ],
)
def test_tables_that_the_configuration_wants_are_looked_for(path, config, missing):
    write_bin(path, random_tensors(Shape()), Shape().config() | config)
    assert f'"{missing}" is missing' in complaint(path)


def test_tables_that_do_not_belong_together_are_named(path):
    shape = Shape(source_vocabulary=20, tied_output=False)
    tensors = random_tensors(shape)
    tensors["decoder_ff_logit_out_Wt"] = tensors["decoder_ff_logit_out_Wt"][:-1]
    write_bin(path, tensors, shape.config())
    assert "36 words" in complaint(path)


def test_layers_tied_to_a_missing_one_are_named(path):
    shape = Shape(tied_layers=(1, 5))
    write_bin(path, random_tensors(shape), shape.config())
    assert "tied to layer 5" in complaint(path)


def test_what_a_file_does_not_say_may_stand_beside_it(path):
    shape = Shape(attends=True, norm_first=True, top_norm=True, heads=2)
    write_bin(path, random_tensors(shape), config=None)
    beside = path.with_name("model.xxyy.bin.yml")
    beside.write_text("transformer-heads: 2\ntransformer-ffn-activation: relu\n")
    model = read_model(path, beside, longest=40)
    assert (model.decoder.heads, model.norm_first, model.activation) == (2, True, "relu")
    assert model.encoder.norm is not None


@pytest.mark.parametrize("text", [b"\xff\xfe", b"- a list"])
def test_a_configuration_beside_the_file_that_cannot_be_read_is_named(path, text):
    write_bin(path, random_tensors(Shape()), Shape().config())
    beside = path.with_name("model.xxyy.bin.yml")
    beside.write_bytes(text)
    with pytest.raises(ModelError, match=r"model\.xxyy\.bin\.yml"):
        read_model(path, beside, longest=40)


# -- Marian's own format --


def test_an_archive_that_is_none_is_named(path):
    path = path.with_suffix(".npz")
    path.write_bytes(b"PK\x03\x04 and then nothing of the kind")
    assert "not a usable Marian model" in complaint(path)


def test_pickled_objects_are_never_loaded(path):
    path = path.with_suffix(".npz")
    np.savez(path, Wemb=np.array([{"a": 1}], object))
    assert "not a usable Marian model" in complaint(path)


def test_an_archive_that_would_fill_the_memory_is_refused(path):
    path = path.with_suffix(".npz")
    np.savez_compressed(path, Wemb=np.zeros((4000, 4000), np.float32))
    assert "would unpack to 64000" in complaint(path)


@pytest.mark.parametrize("values", [np.ones((4, 4)), np.full((4, 4), np.nan, np.float32)])
def test_arrays_that_are_no_weights_are_named(path, values):
    path = path.with_suffix(".npz")
    np.savez(path, Wemb=values)
    assert '"Wemb"' in complaint(path)
