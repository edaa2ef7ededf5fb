"""Models in folders and in the hub's cache. For the hub itself see test_download."""

from __future__ import annotations

import hashlib
import json
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from mtprobe.engine.checkpoints.huggingface.files import find_weights, resolve
from mtprobe.engine.checkpoints.huggingface.remote import needed
from mtprobe.errors import ModelError

COMMIT = "0123456789abcdef0123456789abcdef01234567"
MARIAN = ("config.json", "source.spm", "target.spm", "vocab.json", "pytorch_model.bin")


def fill(folder: Path, names: tuple[str, ...] = MARIAN) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text(f"this is {name}")
    return folder


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The addresses of attempted connections."""
    tried: list[Any] = []

    def refuse(_: socket.socket, address: Any) -> None:
        tried.append(address)
        raise ConnectionRefusedError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *address, **_: refuse(socket.socket(), address))
    return tried


class TestFolders:
    def test_a_folder_by_its_path(self, tmp_path: Path) -> None:
        folder = resolve(str(fill(tmp_path / "model")))
        assert folder.path == tmp_path / "model"
        assert folder.weights == (tmp_path / "model" / "pytorch_model.bin",)
        assert folder.commit is None
        assert folder.file("vocab.json") == tmp_path / "model" / "vocab.json"
        assert folder.file("tokenizer.json") is None

    def test_a_folder_below_the_home_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
        fill(tmp_path / "model")
        assert resolve("~/model").path == tmp_path / "model"

    def test_safetensors_come_before_bin(self, tmp_path: Path) -> None:
        fill(tmp_path, (*MARIAN, "model.safetensors"))
        assert resolve(str(tmp_path)).weights == (tmp_path / "model.safetensors",)

    def test_a_folder_needs_no_huggingface_hub(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "huggingface_hub", None)
        assert resolve(str(fill(tmp_path / "model"))).weights

    def test_a_folder_has_no_revision(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="a folder has no revision; omit v1"):
            resolve(str(fill(tmp_path)), "v1")

    def test_a_file_is_not_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "model.safetensors").touch()
        with pytest.raises(ModelError, match="is a file; give the folder that contains the model"):
            resolve(str(tmp_path / "model.safetensors"))

    @pytest.mark.parametrize(
        "name",
        [
            "no/such/folder",
            "/nowhere",
            "./nowhere",
            "../x",
            "a b",
            "",
            "org/",
            "org/a--b",
            "org/a..b",
            "org/a.",
            "-a",
            "org/a.git",
            "~nobody/x",
            "a\0b",
            "x" * 5000,
        ],
    )
    def test_neither_a_folder_nor_a_name(self, name: str) -> None:
        with pytest.raises(
            ModelError, match="there is no such folder, and it is not a valid name of a model"
        ):
            resolve(name)

    def test_without_a_config(self, tmp_path: Path) -> None:
        fill(tmp_path, ("vocab.json",))
        with pytest.raises(ModelError, match=r"there is no config.json, so this is not a model folder$"):
            resolve(str(tmp_path))

    def test_the_folder_of_the_cache_itself(self, tmp_path: Path) -> None:
        fill(tmp_path / "models--org--model" / "snapshots" / COMMIT)
        with pytest.raises(ModelError, match="give the folder below its snapshots/"):
            resolve(str(tmp_path / "models--org--model"))

    def test_without_weights_what_is_there_is_listed(self, tmp_path: Path) -> None:
        fill(tmp_path, ("config.json", "tf_model.h5"))
        with pytest.raises(
            ModelError,
            match=r"neither model.safetensors nor pytorch_model.bin; found: config.json, tf_model.h5",
        ):
            resolve(str(tmp_path))


class TestParts:
    def index(self, folder: Path, *parts: object) -> Path:
        fill(folder, ("config.json",))
        content = {"weight_map": {f"tensor{at}": part for at, part in enumerate(parts)}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(content))
        return folder

    def test_they_are_read_from_the_index(self, tmp_path: Path) -> None:
        names = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
        self.index(fill(tmp_path, names), *reversed(names), names[0])
        assert find_weights(tmp_path) == tuple(tmp_path / name for name in names)

    def test_a_missing_one_is_named(self, tmp_path: Path) -> None:
        self.index(tmp_path, "model-00001-of-00002.safetensors")
        with pytest.raises(ModelError, match=r"model-00001-of-00002.safetensors: the file is missing; model"):
            find_weights(tmp_path)

    def test_a_whole_bin_serves_where_a_part_is_missing(self, tmp_path: Path) -> None:
        self.index(fill(tmp_path), "model-00001-of-00002.safetensors")
        assert find_weights(tmp_path) == (tmp_path / "pytorch_model.bin",)

    @pytest.mark.parametrize("part", ["../model.safetensors", "/etc/passwd", "model.bin", "a/b.safetensors"])
    def test_parts_outside_of_the_folder_are_refused(self, part: str, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="which cannot contain its weights"):
            find_weights(self.index(tmp_path, part))

    def test_an_index_of_something_else(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match='"weight_map" does not say'):
            find_weights(self.index(tmp_path, 7))


class TestDigest:
    def test_it_is_the_same_for_the_same_contents(self, tmp_path: Path) -> None:
        one, other = (resolve(str(fill(tmp_path / name))) for name in ("one", "other"))
        assert one.digest() == other.digest()
        assert len(one.digest()) == 12

    @pytest.mark.parametrize("name", [*MARIAN, "generation_config.json", "tokenizer_config.json"])
    def test_it_changes_with_each_file_that_matters(self, name: str, tmp_path: Path) -> None:
        before = resolve(str(fill(tmp_path))).digest()
        (tmp_path / name).write_text("something else")
        assert resolve(str(tmp_path)).digest() != before

    def test_other_files_do_not_matter(self, tmp_path: Path) -> None:
        before = resolve(str(fill(tmp_path))).digest()
        fill(tmp_path, ("README.md", "tf_model.h5", "model.fp16.safetensors"))
        assert resolve(str(tmp_path)).digest() == before

    def test_a_file_is_hashed_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        before = resolve(str(fill(tmp_path))).digest()
        monkeypatch.setattr(hashlib, "file_digest", None)
        assert resolve(str(tmp_path)).digest() == before


class TestCache:
    """The cache of huggingface_hub is used before the network."""

    @pytest.fixture
    def cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        pytest.importorskip("huggingface_hub")
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        return tmp_path

    def put(self, cache: Path, names: tuple[str, ...] = MARIAN, revision: str = "main") -> Path:
        repository = cache / "models--org--model"
        (repository / "refs").mkdir(parents=True, exist_ok=True)
        (repository / "refs" / revision).write_text(COMMIT)
        return fill(repository / "snapshots" / COMMIT, names)

    def test_no_network_where_the_files_are_there(self, cache: Path, no_network: list[Any]) -> None:
        snapshot = self.put(cache)
        folder = resolve("org/model")
        assert (folder.name, folder.path, folder.commit) == ("org/model", snapshot, COMMIT)
        assert folder.digest() == COMMIT
        assert no_network == []

    @pytest.mark.parametrize("revision", ["v1", COMMIT])
    def test_a_revision_by_name_or_commit(self, cache: Path, no_network: list[Any], revision: str) -> None:
        snapshot = self.put(cache, revision="v1")
        assert resolve("org/model", revision).path == snapshot
        assert no_network == []

    def test_a_model_without_an_organisation(self, cache: Path, no_network: list[Any]) -> None:
        self.put(cache)
        (cache / "models--org--model").rename(cache / "models--model")
        assert resolve("model").commit == COMMIT
        assert no_network == []

    @pytest.mark.parametrize(
        ("names", "missing"),
        [
            (MARIAN[:-1], "the weights"),
            (("config.json", "vocab.json", "pytorch_model.bin"), "the vocabulary"),
        ],
    )
    def test_what_the_cache_lacks_is_reported(
        self, cache: Path, no_network: list[Any], names: tuple[str, ...], missing: str
    ) -> None:
        self.put(cache, names)
        with pytest.raises(
            ModelError, match=f"org/model lacks {missing} in the local cache and could not be downloaded"
        ):
            resolve("org/model")
        assert no_network

    @pytest.mark.usefixtures("no_network")
    def test_nothing_is_there(self, cache: Path) -> None:
        with pytest.raises(
            ModelError,
            match="org/model is neither a folder nor in the local cache and could not be downloaded",
        ):
            resolve("org/model")
        assert list(cache.iterdir()) == []

    def test_offline_with_the_files_there(
        self, cache: Path, no_network: list[Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        self.put(cache)
        assert resolve("org/model").commit == COMMIT
        assert no_network == []

    def test_without_huggingface_hub(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "huggingface_hub", None)
        with pytest.raises(ModelError, match=r'models from the hub need: pip install "mtprobe\[hf(-cpu)?\]"'):
            resolve("org/model")


class TestWhatIsDownloaded:
    COMMON = ("config.json", "generation_config.json", "tokenizer_config.json", "vocab.json", "source.spm")
    IGNORED = ("README.md", ".gitattributes", "tf_model.h5", "rust_model.ot", "flax_model.msgpack", "code.py")

    @pytest.mark.parametrize(
        ("there", "chosen"),
        [
            (("model.safetensors", "pytorch_model.bin"), ("model.safetensors",)),
            (("pytorch_model.bin", "model.fp16.safetensors"), ("pytorch_model.bin",)),
            (
                ("model.safetensors.index.json", "model-00001-of-00002.safetensors", "pytorch_model.bin"),
                ("model.safetensors.index.json", "model-00001-of-00002.safetensors"),
            ),
            (
                ("pytorch_model.bin.index.json", "pytorch_model-00001-of-00001.bin", "training_args.bin"),
                ("pytorch_model.bin.index.json", "pytorch_model-00001-of-00001.bin"),
            ),
        ],
    )
    def test_one_kind_of_weights_and_what_goes_with_it(
        self, there: tuple[str, ...], chosen: tuple[str, ...]
    ) -> None:
        wanted = needed("org/model", (*self.COMMON, *self.IGNORED, *there))
        assert sorted(wanted) == sorted((*self.COMMON, *chosen))

    def test_no_weights(self) -> None:
        with pytest.raises(ModelError, match="the repository has no readable weights"):
            needed("org/model", (*self.COMMON, *self.IGNORED))

    def test_no_config(self) -> None:
        with pytest.raises(ModelError, match=r"org/model: the repository has no config.json"):
            needed("org/model", ("model.safetensors",))
