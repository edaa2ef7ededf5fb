"""opus-mt by `hf:`, in both directions: the translations of transformers' `generate`, and its log-probabilities"""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.graphs.attention_graphs import aligning_layers
from mtprobe.language.alignment import open_aligner
from mtprobe.methods.conditioning.focus_tokens import Focused, FocusFinder
from mtprobe.progress import Silent
from mtprobe.suite.samples.focus import read_marks
from mtprobe.suites import load_suite
from tests.conftest import ROOT

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore:Recommended")  # sacremoses

COUNT = 100
HARD = [
    "He can't!",
    "Is the bank still open, or do we have to sit on the other bank?",
    "In 2019, 3.5 million visitors paid $12 each; the museum kept half of it.",
]


def english() -> list[str]:
    suite = load_suite(ROOT / "suites" / "wsd" / "everyday-words.mt.yaml").take(COUNT - len(HARD))
    return [*HARD, *(sample.source for sample in suite.samples)]


def french() -> list[str]:
    """Right targets of minimal pairs, written by people."""
    suite = load_suite(ROOT / "suites" / "minimal_pairs" / "en-fr" / "errors.mt.yaml")
    human = [sample for sample in suite.samples if sample.category == "human"]
    texts = dict.fromkeys(sample.targets_in("fr").correct[0] for sample in sorted(human, key=suite.rank))
    return list(texts)[:COUNT]


@pytest.fixture(scope="module", params=["en-fr", "fr-en"])
def direction(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def sentences(direction) -> list[str]:
    return english() if direction == "en-fr" else french()


@pytest.fixture(scope="module")
def folder(models: Path, direction) -> Path:
    return models / f"opus-mt-{direction}"


@pytest.fixture(scope="module")
def ours(folder, direction):
    source, target = direction.split("-")
    return open_backend(ModelSpec.parse(f"hf:{folder}"), OpenRequest(source=source, target=target))


@pytest.fixture(scope="module")
def tokenizer(folder):
    return transformers.MarianTokenizer.from_pretrained(folder)


@pytest.fixture(scope="module")
def translations(ours, sentences) -> list[str]:
    assert len(set(sentences)) == COUNT
    return ours.translate(sentences)


def test_translations_are_those_of_generate(folder, tokenizer, sentences, translations):
    model = transformers.MarianMTModel.from_pretrained(folder).eval()
    expected = []
    for sentence in sentences:
        with torch.inference_mode():
            (sequence,) = model.generate(**tokenizer(sentence, return_tensors="pt"))
        expected.append(tokenizer.decode(sequence, skip_special_tokens=True))
    different = [pair for pair in zip(translations, expected, strict=True) if pair[0] != pair[1]]
    assert not different


def test_sums_of_log_probabilities_are_those_of_transformers(
    folder, tokenizer, ours, sentences, translations
):
    # In float32, sums of transformers are themselves up to 2e-4 away from these.
    model = transformers.MarianMTModel.from_pretrained(folder, dtype=torch.float64).eval()
    scores = ours.score([ScorePair(*pair) for pair in zip(sentences, translations, strict=True)])
    for source, target, score in zip(sentences, translations, scores, strict=True):
        inputs = tokenizer(source, text_target=target, return_tensors="pt")
        with torch.inference_mode():
            logprobs = model(**inputs).logits.log_softmax(-1)
        expected = logprobs.gather(-1, inputs["labels"].unsqueeze(-1)).squeeze()
        assert len(score) == len(expected)
        assert sum(score) == pytest.approx(float(expected.sum()), abs=2e-4)


def test_int8_hypotheses_do_not_depend_on_their_batch_bit_for_bit(folder, direction, sentences):
    source, target = direction.split("-")
    model = open_backend(
        ModelSpec.parse(f"hf:{folder}"), OpenRequest(source=source, target=target, dtype="int8")
    )
    together = model.n_best(sentences, 4)
    assert model.n_best(sentences[::-1], 4) == together[::-1]
    for place in range(0, COUNT, 10):
        assert model.n_best(sentences[place : place + 1], 4) == together[place : place + 1]


def test_attention_is_that_of_transformers(folder, tokenizer, ours, sentences, translations):
    model = transformers.MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()
    layers = aligning_layers(model.config.decoder_layers)
    for source, target in zip(sentences[:10], translations[:10], strict=True):
        inputs = tokenizer(source, text_target=target, return_tensors="pt")
        with torch.inference_mode():
            weights = model(**inputs, output_attentions=True).cross_attentions
        expected = torch.cat([weights[layer] for layer in layers]).mean((0, 1))
        tokens = ours.read_pair(ScorePair(source, target))
        [actual] = ours.engine.attention([tokens])
        torch.testing.assert_close(torch.tensor(actual), expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("direction", ["en-fr"], indirect=True)
def test_the_translation_of_a_word_is_found(ours):
    words = {
        ("The <bank> of the river was steep.", "La rive de la rivière était raide."): "rive",
        (
            "She <drew> the curtains because of the sun.",
            "Elle a tiré les rideaux à cause du soleil.",
        ): "a tiré",
        (
            "The <makeup artist> went home early.",
            "L'artiste maquilleuse est rentrée tôt.",
        ): "artiste maquilleuse",
    }
    finder = FocusFinder(ours, None, Silent(), open_aligner("ibm1"))
    for (written, target), expected in words.items():
        marks = read_marks(written)
        found = finder.find([Focused(marks.text, target, marks.focus)])
        spans = [ours.target_spans(target)[token] for one in found.values() for token in one.tokens]
        assert target[spans[0][0] : spans[-1][1]] == expected
