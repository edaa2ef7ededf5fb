"""The weights are those of transformers' own model, whatever the file format."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mtprobe.engine.checkpoints.huggingface.files import resolve
from mtprobe.engine.checkpoints.huggingface.weights import read_weights
from mtprobe.errors import ModelError
from tests.engine.checkpoints.factory import SHAPE

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
safetensors_torch = pytest.importorskip("safetensors.torch")

MARIAN = {"vocab_size": 40, "pad_token_id": 39, "decoder_start_token_id": 39, **SHAPE}
MODELS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "marian": ("MarianConfig", "MarianMTModel", MARIAN),
    "marian, two vocabularies": (
        "MarianConfig",
        "MarianMTModel",
        {**MARIAN, "decoder_vocab_size": 50, "share_encoder_decoder_embeddings": False},
    ),
    "m2m100": ("M2M100Config", "M2M100ForConditionalGeneration", {"vocab_size": 40, **SHAPE}),
    "mbart": ("MBartConfig", "MBartForConditionalGeneration", {"vocab_size": 40, **SHAPE}),
}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Any:
    return make(request.param)


def make(name: str) -> Any:
    """A model with random weights, including biases and the logits bias."""
    config, kind, fields = MODELS[name]
    torch.manual_seed(7)
    model = getattr(transformers, kind)(getattr(transformers, config)(**fields))
    with torch.no_grad():
        for named, parameter in [*model.named_parameters(), *model.named_buffers()]:
            if "embed_positions" not in named or name == "mbart":
                parameter.copy_(torch.randn_like(parameter))
    return model


def as_bin(model: Any, folder: Path) -> None:
    """Old checkpoints contain tied tensors under each of their names."""
    model.config.save_pretrained(folder)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")


def as_parts_of_bin(model: Any, folder: Path) -> None:
    model.config.save_pretrained(folder)
    weight_map = {}
    for at, (name, tensor) in enumerate(model.state_dict().items()):
        part = f"pytorch_model-{at % 3 + 1:05}-of-00003.bin"
        weight_map[name] = part
        path = folder / part
        torch.save({**(torch.load(path) if path.exists() else {}), name: tensor.clone()}, path)
    (folder / "pytorch_model.bin.index.json").write_text(
        json.dumps({"metadata": {}, "weight_map": weight_map})
    )


WAYS: dict[str, Callable[[Any, Path], None]] = {
    "safetensors": lambda model, folder: model.save_pretrained(folder),
    "sharded": lambda model, folder: model.save_pretrained(folder, max_shard_size="4KB"),
    "half": lambda model, folder: model.half().save_pretrained(folder),
    "bfloat16": lambda model, folder: model.bfloat16().save_pretrained(folder),
    "double": lambda model, folder: model.double().save_pretrained(folder),
    "bin": as_bin,
    "bin, bfloat16": lambda model, folder: as_bin(model.bfloat16(), folder),
    "bin, sharded": as_parts_of_bin,
}


@pytest.mark.parametrize("way", WAYS)
def test_they_equal_the_model_of_transformers(model: Any, way: str, tmp_path: Path) -> None:
    WAYS[way](model, tmp_path)
    theirs = type(model).from_pretrained(tmp_path, dtype=torch.float32).state_dict()
    folder = resolve(str(tmp_path))
    assert len(folder.weights) > 1 or "sharded" not in way
    ours = read_weights(folder)
    assert set(ours) == set(theirs)
    for name, tensor in theirs.items():
        assert ours[name].dtype == np.float32
        np.testing.assert_array_equal(ours[name], tensor.numpy(), err_msg=name)


@pytest.mark.parametrize("name", MODELS)
def test_the_logits_bias_may_be_missing(name: str, tmp_path: Path) -> None:
    model = make(name)
    model.save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    tensors = safetensors_torch.load_file(path)
    tensors.pop("final_logits_bias", None)
    safetensors_torch.save_file(tensors, path)
    assert not read_weights(resolve(str(tmp_path))).get("final_logits_bias", np.zeros(1)).any()


@pytest.mark.parametrize("kept", ["lm_head.weight", "model.encoder.embed_tokens.weight"])
def test_any_of_the_tied_tensors_may_be_the_one_that_is_there(kept: str, tmp_path: Path) -> None:
    model = make("m2m100")
    model.save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    tensors = safetensors_torch.load_file(path)
    tensors[kept] = tensors.pop("model.shared.weight")
    safetensors_torch.save_file(tensors, path, {"format": "pt"})
    theirs = type(model).from_pretrained(tmp_path).state_dict()
    ours = read_weights(resolve(str(tmp_path)))
    assert all(np.array_equal(ours[name], tensor.numpy()) for name, tensor in theirs.items())


def test_an_output_projection_of_its_own_is_kept(tmp_path: Path) -> None:
    """As in transformers 5, even if config.json says that it is tied; transformers 4 tied it."""
    model = make("mbart")
    model.save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    tensors = safetensors_torch.load_file(path)
    tensors["lm_head.weight"] = torch.randn_like(tensors["model.shared.weight"])
    safetensors_torch.save_file(tensors, path, {"format": "pt"})
    theirs = type(model).from_pretrained(tmp_path).state_dict()
    ours = read_weights(resolve(str(tmp_path)))
    assert np.array_equal(ours["lm_head.weight"], theirs["lm_head.weight"].numpy())
    assert not np.array_equal(ours["lm_head.weight"], ours["model.shared.weight"])


@pytest.mark.parametrize(
    ("tied", "missing"),
    [(True, "model.shared.weight"), (False, "lm_head.weight")],
)
def test_a_missing_embedding_is_named(tied: bool, missing: str, tmp_path: Path) -> None:
    make("m2m100").save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    tensors = safetensors_torch.load_file(path)
    if tied:
        del tensors["model.shared.weight"]
    safetensors_torch.save_file(tensors, path)
    config = tmp_path / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "tie_word_embeddings": tied}))
    with pytest.raises(ModelError, match=f'the tensor "{missing}" is missing'):
        read_weights(resolve(str(tmp_path)))


def test_an_unknown_architecture_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    safetensors_torch.save_file({"shared.weight": torch.ones(2, 3)}, tmp_path / "model.safetensors")
    assert list(read_weights(resolve(str(tmp_path)))) == ["shared.weight"]


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "truncated": (lambda content: content[:-100], "is it truncated?"),
    "cut in its header": (lambda content: content[:40], "is it truncated?"),
    "empty": (lambda _: b"", "is it truncated?"),
    "page": (lambda _: b"<html><body>404</body></html>", "it is an HTML or XML page"),
    "pointer": (lambda _: b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "a Git LFS pointer"),
    "wrong magic": (lambda content: b"\xff" * 16 + content[16:], "not a usable"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("way", ["safetensors", "bin"])
def test_a_damaged_file_is_named(way: str, damage: str, tmp_path: Path) -> None:
    WAYS[way](make("mbart"), tmp_path)
    (path,) = resolve(str(tmp_path)).weights
    change, message = DAMAGES[damage]
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ModelError) as error:
        read_weights(resolve(str(tmp_path)))
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_code_in_a_pickle_is_not_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "trapped",)

    as_bin(make("mbart"), tmp_path)
    torch.save({"weight": Trap()}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="not a usable PyTorch file"):
        read_weights(resolve(str(tmp_path)))
    assert not (tmp_path / "trapped").exists()


@pytest.mark.parametrize("content", [[1, 2], {"weight": 3}])
def test_a_pickle_of_something_else(content: object, tmp_path: Path) -> None:
    as_bin(make("mbart"), tmp_path)
    torch.save(content, tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="it does not contain named tensors"):
        read_weights(resolve(str(tmp_path)))


def test_quantised_weights_are_refused(tmp_path: Path) -> None:
    make("mbart").save_pretrained(tmp_path)
    tensors = {"model.shared.weight": torch.ones(2, 3, dtype=torch.int8)}
    safetensors_torch.save_file(tensors, tmp_path / "model.safetensors")
    with pytest.raises(
        ModelError, match=r'"model.shared.weight" holds I8 .* a quantised model cannot be used'
    ):
        read_weights(resolve(str(tmp_path)))
    (tmp_path / "model.safetensors").unlink()
    torch.save(tensors, tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="holds int8"):
        read_weights(resolve(str(tmp_path)))


def test_without_torch_a_bin_file_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_bin(make("mbart"), tmp_path)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        ModelError, match=r'torch is needed to read .bin files \(pip install "mtprobe\[torch\]"\)'
    ):
        read_weights(resolve(str(tmp_path)))


def test_safetensors_need_no_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("mbart").bfloat16().save_pretrained(tmp_path)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert read_weights(resolve(str(tmp_path)))
