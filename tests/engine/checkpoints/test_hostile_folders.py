"""Model folders that were made to hang, to fill the memory or to raise: one error that names the file."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import socket
import struct
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.engine.checkpoints.bergamot.architecture import read_model
from mtprobe.engine.checkpoints.bergamot.binary import read_npz
from mtprobe.engine.checkpoints.huggingface.config import read_config
from mtprobe.engine.checkpoints.huggingface.files import local_folder
from mtprobe.engine.checkpoints.huggingface.weights import read_weights
from mtprobe.engine.checkpoints.reading import read_json
from mtprobe.engine.export import export
from mtprobe.engine.firefox import open_firefox
from mtprobe.engine.hf import open_hf
from mtprobe.engine.onnx import open_onnx
from mtprobe.errors import ModelError
from tests.engine.checkpoints import factory
from tests.engine.converted.models import put_firefox
from tests.engine.tiny import FLOAT32, Shape, layout, random_tensors, train_vocabulary, write_npz
from tests.fuzz.hostile_values import MERGE_BOMB

REQUEST = OpenRequest(source="xx", target="yy")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    put_firefox(folder / "ssru")
    shape = Shape(vocabulary=90, attends=True)
    (folder / "npz").mkdir()
    write_npz(folder / "npz" / "model.xxyy.npz", random_tensors(shape), shape.config())
    train_vocabulary(folder / "npz" / "vocab.xxyy.spm", shape.vocabulary)
    export("ssru", open_firefox(str(folder / "ssru"), REQUEST), folder / "saved")
    return folder


@pytest.fixture
def copy(made, tmp_path):
    return lambda name: shutil.copytree(made / name, tmp_path / name)


def error_of(open_it, *arguments: object) -> str:
    """The message of the `ModelError`, which comes soon and without much memory."""
    tracemalloc.start()
    started = time.process_time()
    with pytest.raises(ModelError) as caught:
        open_it(*arguments)
    assert time.process_time() - started < 3
    assert tracemalloc.get_traced_memory()[1] < 200_000_000
    tracemalloc.stop()
    return str(caught.value)


def translated(folder: Path) -> None:
    open_firefox(str(folder), REQUEST).translate(["bak dem"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (MERGE_BOMB, "merge keys|values once aliases are expanded"),
        (b"a: &a [x]\n" + b"b: *a\n" * 30_000, "values once aliases are expanded"),
        (b"[" * 5_000, "nested more than 16 levels"),
        (b"transformer-heads: " + b"9" * 5_000, "more than 400 digits"),
        (b"transformer-heads: !!python/object:os.system x", "the tag"),
        (b"transformer-heads: !!timestamp 2026-13-45", "the tag"),
        (b"? [a, b]\n: c", "a key must be a word"),
        (b"\xff\xfe", "not UTF-8 text"),
        (b"transformer-heads: 2026-13-45", "transformer-heads is '2026-13-45', which is not a positive number"),
    ],
)  # fmt: skip
def test_a_configuration_beside_the_weights_is_read_within_limits(copy, text, says):
    folder = copy("ssru")
    path = folder / "model.xxyy.bin"
    (folder / "model.xxyy.bin.yml").write_bytes(text)
    data = path.read_bytes().replace(b"transformer-heads: 4", b"transformer-hands: 4")
    path.write_bytes(data)
    message = error_of(translated, folder)
    assert str(path) in message
    assert re.search(says, message), message


def put_special(path: Path, kind: str) -> None:
    path.unlink(missing_ok=True)
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "socket":
        here = Path.cwd()
        os.chdir(path.parent)  # the names of sockets are short
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(path.name)
        os.chdir(here)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"device": "/dev/zero", "loop": path.name}[kind])


@pytest.mark.parametrize("kind", ["FIFO", "device", "socket", "folder", "loop"])
@pytest.mark.parametrize("name", ["model.xxyy.bin", "vocab.xxyy.spm", "model.xxyy.bin.yml"])
def test_only_regular_files_are_opened(copy, kind, name):
    folder = copy("ssru")
    put_special(folder / name, kind)
    if name.endswith(".yml") and kind in ("folder", "loop"):
        translated(folder)  # as good as missing
    else:
        assert str(folder / name) in error_of(translated, folder)


@pytest.mark.parametrize("kind", ["FIFO", "device", "socket"])
@pytest.mark.parametrize(
    "name", ["model.safetensors", "config.json", "vocab.json", "source.spm", "README.md"]
)
def test_a_hugging_face_folder_has_regular_files_only(tmp_path, vocabularies, kind, name):
    folder = factory.put_marian(
        tmp_path / "opus-mt-en-de", vocabularies / "en.spm", vocabularies / "de-pt.spm"
    )
    put_special(folder / name, kind)
    message = error_of(open_hf, str(folder), OpenRequest(source="en", target="de"))
    assert f"{folder / name}: a {kind}, not a regular file" in message


def npz_with(path: Path, content: bytes) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Wemb.npy", content)
    message = error_of(read_npz, path)
    assert str(path) in message
    return message


def header(**fields: object) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array_header_1_0(content, {"descr": "<f4", "fortran_order": False, **fields})
    return content.getvalue()


def test_an_npz_is_checked_before_its_arrays_are_made(tmp_path):
    path = tmp_path / "model.npz"
    assert "70 dimensions" in npz_with(path, header(shape=(1,) * 70) + bytes(4))
    assert "does not fit" in npz_with(path, header(shape=(10**12,)) + bytes(4))
    assert "impossible shape" in npz_with(path, header(shape=(-1, 4)) + bytes(4))
    assert "not a usable Marian model" in npz_with(path, header(descr="|O", shape=(1,)) + b"cos\nsystem\n")
    assert "not a usable Marian model" in npz_with(path, b"\x93NUMPY\x01\x00\xf0\x20" + b"(" * 8_400)
    assert "not a usable Marian model" in npz_with(path, b"words")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Wemb.npy", header(shape=(50_000_000,)) + bytes(200_000_000))
    assert "would unpack to" in error_of(read_npz, path)


def test_a_tensor_of_seventy_dimensions_is_refused(tmp_path):
    path = tmp_path / "model.xxyy.bin"
    path.write_bytes(layout([("Wemb", FLOAT32, (1,) * 70, bytes(4))]))
    assert 'tensor "Wemb" has 70 dimensions' in error_of(read_model, path, None, 40)


@pytest.mark.parametrize("name", ["encoder_l" + "9" * 5_000 + "_x", "x" * 3_000])
def test_a_tensor_may_have_any_name(tmp_path, name):
    path = tmp_path / "model.xxyy.bin"
    path.write_bytes(layout([(name, FLOAT32, (1, 1), bytes(4))]))
    assert str(path) in error_of(read_model, path, None, 40)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": -Infinity}', "-Infinity is not a number"),
        ('{"a": 1e999}', "1e999 is too large"),
        ('{"a": ' + "9" * 5_000 + "}", "a number with too many digits"),
        ('{"a": "\\ud800"}', "a lone surrogate"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[]", "not an object"),
        ("", "the file is empty"),
        (" " * 5_000_001, "too large"),
    ],
    ids=lambda text: text[:20],
)
def test_json_is_read_within_limits(tmp_path, text, says):
    path = tmp_path / "config.json"
    path.write_text(text)
    message = error_of(read_json, path)
    assert message.startswith(f"{path}:")
    assert says in message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("d_model", 65_536),
        ("vocab_size", 10_000_000),
        ("max_position_embeddings", 10_000_000),
        ("encoder_layers", 10**9),
    ],
)
def test_sizes_are_compared_with_the_weights_before_anything_is_made(tmp_path, vocabularies, field, value):
    import safetensors.numpy

    folder = factory.put_marian(
        tmp_path / "opus-mt-en-de", vocabularies / "en.spm", vocabularies / "de-pt.spm"
    )
    settings = json.loads((folder / "config.json").read_text())
    table = np.zeros((settings["vocab_size"], settings["d_model"]), np.float32)
    safetensors.numpy.save_file({"model.shared.weight": table}, folder / "model.safetensors")
    factory.put(folder / "config.json", settings | {field: value})
    model = local_folder("x", folder)
    message = error_of(lambda: read_weights(model, read_config(model)))
    assert "model.safetensors" in message or "config.json" in message
    assert str(folder) in message


def test_a_safetensors_header_that_lies_is_refused(tmp_path, vocabularies):
    folder = factory.put_marian(
        tmp_path / "opus-mt-en-de", vocabularies / "en.spm", vocabularies / "de-pt.spm"
    )
    for entry in (
        {"dtype": "F32", "shape": [10**12], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [1] * 70, "data_offsets": [0, 4]},
        {"dtype": "BF16", "shape": [1] * 70, "data_offsets": [0, 2]},
        {"dtype": "F32", "shape": [1], "data_offsets": [0, 2**63]},
    ):
        text = json.dumps({"model.shared.weight": entry}).encode()
        size = entry["data_offsets"][1]
        data = struct.pack("<Q", len(text)) + text + bytes(min(size, 8))
        (folder / "model.safetensors").write_bytes(data)
        model = local_folder("x", folder)
        assert "model.safetensors" in error_of(lambda model=model: read_weights(model, read_config(model)))


def test_a_pickled_tensor_is_not_larger_than_its_data(tmp_path, vocabularies):
    torch = pytest.importorskip("torch")
    folder = factory.put_marian(
        tmp_path / "opus-mt-en-de", vocabularies / "en.spm", vocabularies / "de-pt.spm"
    )
    (folder / "model.safetensors").unlink()
    path = folder / "pytorch_model.bin"
    torch.save({"model.shared.weight": torch.zeros(1).expand(10**6, 10**6)}, path)
    model = local_folder("x", folder)
    assert "larger than its data" in error_of(lambda: read_weights(model, read_config(model)))
    stored = path.read_bytes()
    with zipfile.ZipFile(io.BytesIO(stored)) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    assert "is compressed" in error_of(lambda: read_weights(model, read_config(model)))


def forged(folder: Path, **facts: object) -> str:
    path = folder / "mtprobe.json"
    manifest = json.loads(path.read_text())
    manifest["network"]["facts"].update(facts)
    path.write_text(json.dumps(manifest))
    message = error_of(open_onnx, str(folder), REQUEST)
    assert str(path) in message
    return message


@pytest.mark.parametrize(
    ("fact", "value"),
    [("width", 60_000), ("width", 10**30), ("decoder_layers", 10**9), ("source_vocabulary", 9_000_000), ("heads", 7), ("longest", 10**12)],
)  # fmt: skip
def test_forged_facts_of_a_saved_model_are_refused(copy, fact, value):
    assert '"network.facts' in forged(copy("saved"), **{fact: value})


def test_a_manifest_without_a_graph_is_refused(copy):
    folder = copy("saved")
    manifest = json.loads((folder / "mtprobe.json").read_text())
    del manifest["files"]["encode.onnx"]
    (folder / "mtprobe.json").write_text(json.dumps(manifest))
    assert "does not name the graphs encode" in error_of(open_onnx, str(folder), REQUEST)


@pytest.mark.parametrize("option", ["beams=99999999", "length_penalty=1e300"])
def test_an_absurd_search_is_refused(made, option):
    for open_it, name in ((open_firefox, "ssru"), (open_onnx, "saved")):
        assert option.partition("=")[0] in error_of(open_it, f"{made / name}?{option}", REQUEST)


def test_an_absurd_search_in_a_saved_model_is_refused(copy):
    folder = copy("saved")
    manifest = json.loads((folder / "mtprobe.json").read_text())
    manifest["model"]["options"] = {"beams": "99999999"}
    (folder / "mtprobe.json").write_text(json.dumps(manifest))
    assert "beams=99999999 is too large: at most 1,000" in error_of(open_onnx, str(folder), REQUEST)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("hidden_size", 65_536, "too large for these weights"),
        ("num_hidden_layers", 10**9, "too large for these weights"),
        ("vocab_size", 2**31 - 1, "not those of the weights"),
        ("num_labels", 10**9, "too large for these weights"),
    ],
)
def test_a_masked_model_is_not_larger_than_its_weights(tmp_path, field, value, says):
    from mtprobe.engine.mlm import open_masked
    from tests.engine import masked_models

    masked_models.make(tmp_path / "bert")
    path = tmp_path / "bert" / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    model = open_masked(str(tmp_path / "bert"), OpenRequest(target="en"))
    message = error_of(model.score, [("", "The cat meows.")])
    assert str(path) in message
    assert says in message
