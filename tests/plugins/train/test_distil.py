"""`mtprobe distil`: students with fewer layers, which learn from their teacher."""

from __future__ import annotations

import json

import pytest
from mtprobe_train.networks.network import load_network
from mtprobe_train.networks.student import Depth, evenly_spaced, student_of

from mtprobe.backends import open_model
from mtprobe.cli import main
from tests.engine.checkpoints.lines import lines

torch = pytest.importorskip("torch")
SENTENCES = lines("en")[:24]
REFERENCES = lines("pt")[:24]


@pytest.fixture
def distil(tmp_path, marian, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.en").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    (tmp_path / "text.pt").write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")

    def call(*words: str, to: str = "student", code: int = 0):
        fixed = (
            "--text",
            "text.en",
            "-o",
            to,
            "--threads",
            "1",
            "--no-store",
            "--dev",
            "0.2",
            "--warmup",
            "2",
        )
        assert main(["distil", f"hf:{marian}", *fixed, *words]) == code
        return tmp_path / to

    return call


@pytest.mark.parametrize(
    ("available", "wanted", "kept"),
    [(6, 3, [0, 2, 5]), (6, 4, [0, 1, 3, 5]), (6, 6, [0, 1, 2, 3, 4, 5]), (12, 2, [0, 11]), (6, 1, [0])],
)
def test_kept_layers_are_evenly_spaced(available, wanted, kept):
    assert evenly_spaced(available, wanted) == kept


def test_a_student_begins_with_the_layers_of_its_teacher(marian):
    teacher = load_network(marian, "cpu")
    same = student_of(
        teacher, Depth(teacher.module.config.encoder_layers, teacher.module.config.decoder_layers)
    )
    for name, values in teacher.module.state_dict().items():
        assert torch.equal(values, same.module.state_dict()[name])
    small = student_of(teacher, Depth(1, 1))
    assert len(small.module.model.encoder.layers) == len(small.module.model.decoder.layers) == 1
    ours, theirs = small.module.model.encoder.layers[0], teacher.module.model.encoder.layers[0]
    assert torch.equal(ours.fc1.weight, theirs.fc1.weight)
    assert ours.fc1.weight.data_ptr() != theirs.fc1.weight.data_ptr()


@pytest.mark.parametrize("words", [(), ("--word-level", "0.5"), ("--references", "text.pt")])
def test_a_student_learns(distil, marian, words):
    folder = distil("--layers", "1+1", "--epochs", "8", "--learning-rate", "0.003", "--batch", "4", *words)
    record = json.loads((folder / "training.json").read_text())
    losses = [loss for _, loss in record["results"]["losses"]]
    assert sum(losses[-4:]) < sum(losses[:4])
    student = open_model(f"hf:{folder}")
    assert len(student.translate(SENTENCES[:2])) == 2
    examples = [json.loads(line) for line in (folder / "examples.jsonl").read_text("utf-8").split("\n")[:-1]]
    expected = (
        dict(zip(SENTENCES, REFERENCES, strict=True))
        if "--references" in words
        else dict(zip(SENTENCES, open_model(f"hf:{marian}").translate(SENTENCES), strict=True))
    )
    assert all(example["target"].strip() == expected[example["source"]].strip() for example in examples)
    assert json.loads((folder / "config.json").read_text())["decoder_layers"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--layers", "3"), '--layers: "3" is not a number of encoder layers, a plus'),
        (("--layers", "40+1"), "a student has no more"),
        (("--word-level", "1.5"), "--word-level: 1.5 is not a share"),
        (("--references", "short.pt"), "text.en has 24 lines, short.pt has 1"),
        (("--dev", "0.000001"), "the development part is empty"),
    ],
)
def test_mistakes(distil, tmp_path, words, message, capsys):
    (tmp_path / "short.pt").write_text("Uma linha.\n")
    distil(*words, code=2)
    assert message in " ".join(capsys.readouterr().err.split())
