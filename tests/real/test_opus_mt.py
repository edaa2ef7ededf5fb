"""opus-mt-en-fr by `hf:`: the translations of transformers' `generate`, and its log-probabilities"""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore:Recommended")  # sacremoses

SENTENCES = [
    "The nurse told the engineer that she would repair the bridge.",
    "Nobody had watered the plants, so most of them were dead by June.",
    "Is the bank still open, or do we have to sit on the other bank?",
    "He can't!",
    "In 2019, 3.5 million visitors paid $12 each; the museum kept half of it.",
]


@pytest.fixture(scope="module")
def folder(models: Path) -> Path:
    return models / "opus-mt-en-fr"


@pytest.fixture(scope="module")
def ours(folder):
    return open_backend(ModelSpec.parse(f"hf:{folder}"), OpenRequest(source="en", target="fr"))


@pytest.fixture(scope="module")
def tokenizer(folder):
    return transformers.MarianTokenizer.from_pretrained(folder)


@pytest.fixture(scope="module")
def translations(ours) -> list[str]:
    return ours.translate(SENTENCES)


def test_translations_are_those_of_generate(folder, tokenizer, translations):
    model = transformers.MarianMTModel.from_pretrained(folder).eval()
    expected = []
    for sentence in SENTENCES:
        with torch.inference_mode():
            (sequence,) = model.generate(**tokenizer(sentence, return_tensors="pt"))
        expected.append(tokenizer.decode(sequence, skip_special_tokens=True))
    assert translations == expected


def test_sums_of_log_probabilities_are_those_of_transformers(folder, tokenizer, ours, translations):
    # In float32, sums of transformers are themselves up to 2e-4 away from these.
    model = transformers.MarianMTModel.from_pretrained(folder, dtype=torch.float64).eval()
    scores = ours.score([ScorePair(*pair) for pair in zip(SENTENCES, translations, strict=True)])
    for source, target, score in zip(SENTENCES, translations, scores, strict=True):
        inputs = tokenizer(source, text_target=target, return_tensors="pt")
        with torch.inference_mode():
            logprobs = model(**inputs).logits.log_softmax(-1)
        expected = logprobs.gather(-1, inputs["labels"].unsqueeze(-1)).squeeze()
        assert len(score) == len(expected)
        assert sum(score) == pytest.approx(float(expected.sum()), abs=2e-4)
