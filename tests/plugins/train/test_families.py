"""M2M100, NLLB and mBART are trained by the same code: what torch computes is what our graphs compute."""

from __future__ import annotations

from pathlib import Path

import pytest
from mtprobe_train.material.example import Example
from mtprobe_train.networks.base import open_base
from mtprobe_train.networks.batch import batch_of
from mtprobe_train.networks.encode import encode
from mtprobe_train.objectives.margin import log_probabilities

from mtprobe.backends import OpenRequest, open_model
from mtprobe.cli import main
from tests.engine.checkpoints.lines import lines
from tests.engine.hf_models import make, train_vocabularies

from .conftest import suite_text

torch = pytest.importorskip("torch")

EXAMPLES = [
    Example(str(place), source[:60], target[:60])
    for place, (source, target) in enumerate(zip(lines("en")[:12], lines("pt")[:12], strict=True))
]


@pytest.fixture(scope="module")
def vocabularies(tmp_path_factory) -> Path:
    return train_vocabularies(tmp_path_factory.mktemp("vocabularies"))


@pytest.mark.parametrize("kind", ["marian", "m2m100", "nllb", "mbart50"])
def test_padded_batches_have_the_probabilities_of_the_graphs(kind, vocabularies, tmp_path):
    folder = make(kind, tmp_path / kind, vocabularies).folder
    base = open_base(f"hf:{folder}", OpenRequest(source="en", target="pt", threads=1))
    network = base.load("cpu")
    network.module.eval()
    batch = batch_of(list(encode(EXAMPLES, base.tokenizer())), network.pad)
    with torch.no_grad():
        theirs = log_probabilities(network.logits(batch), batch.labels).tolist()
    pairs = [(example.source, example.target) for example in EXAMPLES]
    ours = [sum(scores) for scores in open_model(f"hf:{folder}", source="en", target="pt").score(pairs)]
    assert theirs == pytest.approx(ours, abs=1e-3)


@pytest.mark.parametrize("kind", ["m2m100", "nllb", "mbart50"])
def test_a_multilingual_model_is_tuned_for_one_direction(kind, vocabularies, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = make(kind, tmp_path / kind, vocabularies).folder
    Path("people.mt.yaml").write_text(suite_text(), encoding="utf-8")
    words = ("--source", "en", "--target", "pt", "--steps", "2", "--dev", "0", "--threads", "1", "--no-store")
    assert main(["tune", f"hf:{folder}", "people.mt.yaml", "-o", "tuned", *words]) == 0
    tuned, before = (open_model(f"hf:{name}", source="en", target="pt") for name in ("tuned", folder))
    pair = [("The doctor reads his letter.", "O médico lê a carta.")]
    assert tuned.score(pair) != before.score(pair)
    assert tuned.fingerprint != before.fingerprint
