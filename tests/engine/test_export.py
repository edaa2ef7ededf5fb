"""`mtprobe export` writes standard ONNX files without duplicate weights, atomically."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest

from mtprobe.backends.cmd import open_command
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.export import export
from mtprobe.engine.firefox import FirefoxWeights, open_firefox
from mtprobe.engine.hf import open_hf
from mtprobe.engine.onnx import open_onnx
from mtprobe.errors import ModelError
from tests.engine.converted.models import put_firefox

REQUEST = OpenRequest(source="en", target="pt", threads=1)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory) -> Path:
    return put_firefox(tmp_path_factory.mktemp("models") / "xxyy")


def hf_folder(small_model, tmp_path: Path) -> Path:
    export(small_model.kind, open_hf(str(small_model.folder), REQUEST), tmp_path / "saved")
    return tmp_path / "saved"


def test_the_files_are_onnx_as_others_read_it(small_model, tmp_path):
    folder = hf_folder(small_model, tmp_path)
    graphs = sorted(folder.glob("*.onnx"))
    assert [path.stem for path in graphs] == sorted(
        open_hf(str(small_model.folder), REQUEST).origin.build().graphs
    )
    for path in graphs:
        onnx.checker.check_model(str(path))
        for tensor in onnx.load(path, load_external_data=False).graph.initializer:
            manifest = {entry.key: entry.value for entry in tensor.external_data}
            assert not manifest or manifest["location"] == "weights.bin"


def test_weights_that_graphs_share_are_written_once(small_model, tmp_path):
    folder = hf_folder(small_model, tmp_path)
    graphs = open_hf(str(small_model.folder), REQUEST).origin.build().graphs
    together = sum(weight.nbytes for graph in graphs.values() for weight in graph.weights.values())
    parameters = sum(values.numel() * 4 for values in small_model.model.state_dict().values())
    size = (folder / "weights.bin").stat().st_size
    assert size < 0.75 * together
    # arrays are aligned to pages, and these are small: padding may double the size
    assert size < 2.5 * parameters + 4096 * 40


def test_no_path_of_this_disk_is_given_away(small_model, tmp_path):
    folder = hf_folder(small_model, tmp_path)
    for path in folder.glob("*.onnx"):
        assert str(tmp_path).encode() not in path.read_bytes()
    manifest = json.loads((folder / "mtprobe.json").read_text())
    assert str(small_model.folder.parent) not in json.dumps(manifest)
    assert manifest["made_from"].startswith(f"hf:{small_model.kind} (")
    assert manifest["decoding"].startswith("beam 4")


def test_it_may_fill_an_empty_folder_and_no_other(firefox, tmp_path):
    model = open_firefox(str(firefox), OpenRequest())
    (tmp_path / "empty").mkdir()
    export("m", model, tmp_path / "empty")
    assert open_onnx(str(tmp_path / "empty"), OpenRequest())
    before = sorted((tmp_path / "empty").iterdir())
    with pytest.raises(ModelError, match="is not empty"):
        export("m", model, tmp_path / "empty")
    assert sorted((tmp_path / "empty").iterdir()) == before
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ModelError, match="is not a folder"):
        export("m", model, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_folders_on_the_way_are_made(firefox, tmp_path):
    export("m", open_firefox(str(firefox), OpenRequest()), tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "mtprobe.json").is_file()


@pytest.mark.parametrize(
    "trouble", [KeyboardInterrupt, OSError(28, "No space left on device"), ModelError("no")]
)
def test_what_goes_wrong_on_the_way_leaves_nothing_behind(firefox, tmp_path, monkeypatch, trouble):
    class Failing(dict):
        def items(self):
            yield from list(super().items())[:1]
            raise trouble

    build = FirefoxWeights.build

    def failing(*given):
        parts = build(*given)
        return type(parts)(parts.dimensions, Failing(parts.graphs))

    monkeypatch.setattr(FirefoxWeights, "build", failing)
    with pytest.raises((KeyboardInterrupt, ModelError)) as caught:
        export("m", open_firefox(str(firefox), OpenRequest()), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []
    if isinstance(trouble, OSError):
        assert "m: cannot be written: No space left on device" in str(caught.value)


def test_a_model_without_graphs_is_reported(tmp_path):
    backend = open_command("cat", OpenRequest(target="pt"))
    with pytest.raises(ModelError, match="cmd-cat cannot be exported: only demo"):
        export("cmd-cat", backend, tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_model_that_runs_in_torch_is_reported(tmp_path):
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.T5Config(vocab_size=20, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2)
    transformers.T5ForConditionalGeneration(config).save_pretrained(tmp_path / "t5")
    with pytest.raises(ModelError, match="hf-t5 cannot be exported: only demo"):
        export("hf-t5", open_hf(str(tmp_path / "t5"), REQUEST), tmp_path / "m")


def test_what_was_exported_is_not_exported_again(firefox, tmp_path):
    export("m", open_firefox(str(firefox), OpenRequest()), tmp_path / "m")
    with pytest.raises(ModelError, match="is already exported"):
        export("m", open_onnx(str(tmp_path / "m"), OpenRequest()), tmp_path / "n")


def test_a_number_format_is_exported_and_asked_for_again(firefox, tmp_path):
    request = OpenRequest(threads=1, dtype="int8")
    model = open_firefox(str(firefox), request)
    export("x", model, tmp_path / "saved")
    pairs = [ScorePair("bak dem", "nip"), ScorePair("fig", "")]
    assert open_onnx(str(tmp_path / "saved"), request).score(pairs) == model.score(pairs)
    with pytest.raises(ModelError, match=r"exported in int8, but fp32 was requested; use the dtype int8"):
        open_onnx(str(tmp_path / "saved"), OpenRequest(threads=1))
