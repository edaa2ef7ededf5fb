"""Files that are not what they should be: one clear error that names the file, and no harm done."""

from __future__ import annotations

import struct
import tracemalloc

import pytest

from mtprobe.errors import ModelError
from mtprobe.nets.bergamot import read_bergamot
from mtprobe.nets.ssru import ssru_model

from .tiny import FLOAT32, INT8, INTGEMM8, Shape, layout, random_tensors, write_bin


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.xxyy.bin"


@pytest.fixture
def whole(path) -> bytes:
    write_bin(path, random_tensors(Shape()), Shape().config(), INTGEMM8)
    return path.read_bytes()


def complaint(path) -> str:
    with pytest.raises(ModelError) as caught:
        ssru_model(read_bergamot(path))
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


def test_wherever_a_file_is_cut_off_it_is_noticed(path, whole):
    for kept in (16, 17, 40, 200, 1000, len(whole) // 2, len(whole) - 300, len(whole) - 1):
        path.write_bytes(whole[:kept])
        assert "truncated" in complaint(path)


@pytest.mark.parametrize("count", [10**6, 2**40, 2**63, 2**64 - 1])
def test_an_absurd_number_of_tensors_costs_no_memory(path, whole, count):
    path.write_bytes(struct.pack("<QQ", 1, count) + whole[16:])
    tracemalloc.start()
    assert f"{count} tensors" in complaint(path)
    assert tracemalloc.get_traced_memory()[1] < 10 * len(whole)
    tracemalloc.stop()


@pytest.mark.parametrize("field", [0, 2, 3], ids=["name length", "dimensions", "data length"])
@pytest.mark.parametrize("value", [10**9, 2**62, 2**64 - 1])
def test_an_absurd_length_in_the_directory_is_noticed(path, whole, field, value):
    at = 16 + 8 * field
    path.write_bytes(whole[:at] + struct.pack("<Q", value) + whole[at + 8 :])
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
    assert "should have 3 layers and has 2" in complaint(path)


def test_a_tensor_of_the_wrong_shape_is_named(path):
    tensors = random_tensors(Shape())
    tensors["decoder_l2_ffn_b2"] = tensors["decoder_l2_ffn_b2"][:, :-1]
    write_bin(path, tensors, Shape().config())
    assert "decoder_l2_ffn_b2" in complaint(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("type", "amun"),
        ("transformer-decoder-autoreg", "self-attention"),
        ("dec-cell", "gru"),
        ("transformer-preprocess", "n"),
        ("transformer-ffn-activation", "swish"),
        ("transformer-tied-layers", [1, 1]),
        ("tied-embeddings-all", False),
        ("transformer-heads", 0),
        ("transformer-heads", 5),
    ],
)
def test_an_architecture_that_we_would_compute_wrongly_is_refused(path, key, value):
    write_bin(path, random_tensors(Shape()), Shape().config() | {key: value})
    message = complaint(path)
    assert key in message or "heads" in message


@pytest.mark.parametrize("name", ["encoder_Wemb", "decoder_ff_logit_out_W", "decoder_l1_self_Wq"])
def test_what_is_not_supported_yet_is_said(path, name):
    tensors = random_tensors(Shape())
    write_bin(path, tensors | {name: tensors["encoder_l1_self_Wq"]}, config=None)
    assert "supported yet" in complaint(path)
