"""`hf:` models: from a folder to the translations and scores of transformers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mtprobe.backends.protocols import LanguagePair, OpenRequest
from mtprobe.backends.scorer import ScorePair, mean
from mtprobe.engine.hf import open_hf, read_spec
from mtprobe.errors import Failure, ModelError
from tests.engine.checkpoints import factory
from tests.engine.checkpoints.lines import lines
from tests.engine.hf_models import SmallModel

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SENTENCES = [line[:60] for line in lines("en")][:12]
TARGETS = [line[:60] for line in lines("pt")][:12]


def ours(small_model: SmallModel, options: str = "") -> Any:
    return open_hf(f"{small_model.folder}{options}", OpenRequest(source="en", target="pt", threads=1))


def generated(small_model: SmallModel, **settings: Any) -> list[str]:
    results = []
    for sentence in SENTENCES:
        inputs = small_model.tokenizer(sentence, return_tensors="pt")
        with torch.inference_mode():
            output = small_model.model.generate(
                **inputs, **small_model.forced, **settings, return_dict_in_generate=True, output_scores=True
            )
        results.append(small_model.tokenizer.decode(output.sequences[0], skip_special_tokens=True))
    return results


@pytest.mark.parametrize(("options", "settings"), [("", {}), ("?beams=1", {"num_beams": 1})])
def test_translations_are_those_of_generate(small_model, options, settings):
    model = ours(small_model, options)
    translations = model.translate(SENTENCES)
    expected = generated(small_model, **settings)
    differing = [
        (mine, theirs) for mine, theirs in zip(translations, expected, strict=True) if mine != theirs
    ]
    # random models have near ties: a difference counts only if our translation scores worse
    for mine, theirs in differing:
        source = SENTENCES[translations.index(mine)]
        one, other = model.score([ScorePair(source, mine), ScorePair(source, theirs)])
        assert sum(one) == pytest.approx(sum(other), abs=1e-3)
    assert len(differing) <= 2


def test_the_best_few_are_those_of_the_search(small_model):
    model = ours(small_model)
    output = model.n_best(SENTENCES, 3)
    assert [candidates[0].text for candidates in output] == model.translate(SENTENCES)
    for candidates in output:
        scores = [candidate.score for candidate in candidates]
        assert len(scores) == 3
        assert scores == sorted(scores, reverse=True)


def test_scores_are_those_of_torch(small_model):
    model = ours(small_model)
    pairs = [ScorePair(source, target) for source, target in zip(SENTENCES, TARGETS, strict=True)]
    for pair, scored in zip(pairs, model.score(pairs), strict=True):
        inputs = small_model.tokenizer(pair.source, return_tensors="pt")
        labels = small_model.tokenizer(text_target=pair.target, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            logits = small_model.model(**inputs, labels=labels).logits.log_softmax(-1)
        expected = logits[0].gather(-1, labels[0].unsqueeze(-1)).squeeze(-1).tolist()
        if small_model.kind != "marian":
            expected = expected[1:]  # the language token is given, not scored
        assert list(scored) == pytest.approx(expected, abs=1e-4)


def test_a_score_does_not_depend_on_its_batch(small_model):
    model = ours(small_model)
    pairs = [ScorePair(source, target) for source, target in zip(SENTENCES, TARGETS, strict=True)]
    together = model.score(pairs)
    for pair, scored in zip(pairs[:5], together, strict=False):
        (alone,) = model.score([pair])
        assert mean(alone) == pytest.approx(mean(scored), abs=1e-5)


def test_what_is_longer_than_the_positions_fails_by_name_and_the_others_do_not(small_model):
    model = ours(small_model)
    failed, fine = model.translate(["word " * 200, SENTENCES[0]])
    assert isinstance(failed, Failure)
    assert "positions for 96" in failed.reason
    assert isinstance(fine, str)


def test_the_fingerprint_tells_decoding_and_languages_apart(small_model):
    marks = {
        ours(small_model, options).fingerprint
        for options in ("", "?beams=1", "?beams=2", "?length_penalty=0.6")
    }
    assert len(marks) == 4
    assert all("→pt" in mark for mark in marks)


def test_int8_scores_alone_as_in_a_batch_and_has_a_fingerprint_of_its_own(small_model):
    model = open_hf(str(small_model.folder), OpenRequest(source="en", target="pt", threads=2, dtype="int8"))
    assert model.fingerprint == ours(small_model).fingerprint.replace("fp32:v1", "int8:v2")
    assert model.dtype == "int8"
    pairs = [ScorePair(source, target) for source, target in zip(SENTENCES, TARGETS, strict=False)]
    together, alone = model.score(pairs), [model.score([pair])[0] for pair in pairs]
    assert together == alone
    assert together != ours(small_model).score(pairs)


def test_settings_that_the_search_does_not_know_are_named(small_model, tmp_path):
    folder = shutil.copytree(small_model.folder, tmp_path / "m")
    path = folder / "generation_config.json"
    factory.put(path, {**json.loads(path.read_text()), "no_repeat_ngram_size": 3})
    model = open_hf(str(folder), OpenRequest(source="en", target="pt"))
    assert "without the model's no_repeat_ngram_size" in model.decoding
    assert "without" not in ours(small_model).decoding


def test_a_prefix_is_refused_where_it_would_not_be_heeded(small_model):
    with pytest.raises(ModelError, match="prefix is for models"):
        ours(small_model, "?prefix=translate: ")


def test_opening_loads_neither_torch_nor_onnxruntime(small_model):
    code = (
        "import sys\n"
        "from mtprobe.engine.hf import open_hf\n"
        "from mtprobe.backends.protocols import OpenRequest\n"
        "m = open_hf(sys.argv[1], OpenRequest(source='en', target='pt'))\n"
        "heavy = {'torch', 'transformers', 'onnxruntime', 'onnx'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "print(m.translate(['The old house.'])[0])\n"
        "assert not {'torch', 'transformers'} & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(small_model.folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_languages_of_a_bilingual_model_are_known(tmp_path, vocabularies):
    folder = factory.put_marian(
        tmp_path / "m",
        vocabularies / "en.spm",
        vocabularies / "de-pt.spm",
        source_lang="en",
        target_lang="de",
    )
    assert open_hf(str(folder), OpenRequest()).languages == LanguagePair("en", "de")
    with pytest.raises(ModelError, match="translates into de, not pt"):
        open_hf(str(folder), OpenRequest(target="pt"))


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("", "needs a model"),
        ("org/name?beems=3", 'unknown option "beems"; did you mean "beams"'),
        ("org/name?beams=many", "beams=many is not a positive number"),
        ("org/name?length_penalty=x", "length_penalty=x is not a number"),
    ],
)
def test_a_spec_that_cannot_be_read_is_reported(rest, message):
    with pytest.raises(ModelError) as error:
        read_spec(rest)
    assert message in str(error.value)


@pytest.fixture(scope="module")
def t5(tmp_path_factory, vocabularies) -> Path:
    """A model without ONNX graphs."""
    folder = tmp_path_factory.mktemp("models") / "t5"
    spm = vocabularies / "unigram.model"
    pieces = factory.pieces_of(spm)
    config = transformers.T5Config(
        vocab_size=len(pieces) + 10, d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=2,
    )  # fmt: skip
    torch.manual_seed(0)
    model = transformers.T5ForConditionalGeneration(config).eval()
    model.generation_config.max_length = 12
    model.save_pretrained(folder)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=_words(), pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    tokenizer.save_pretrained(folder)
    return folder


def _words() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = sorted({word for line in [*SENTENCES, *TARGETS] for word in line.split()})
    vocabulary = {word: number for number, word in enumerate(["<pad>", "<unk>", "</s>", *words[:400]])}
    core = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    core.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    return core


def test_another_architecture_falls_back_to_torch_and_says_so(t5):
    model = open_hf(f"{t5}?beams=2&prefix=translate: ", OpenRequest(source="en", target="pt"))
    assert model.fingerprint.startswith("torch:")
    translations = model.translate(SENTENCES[:6])
    assert all(isinstance(one, str) for one in translations)
    pairs = [ScorePair(source, target) for source, target in zip(SENTENCES[:6], TARGETS, strict=False)]
    together, alone = model.score(pairs), [model.score([pair])[0] for pair in pairs]
    for one, other in zip(together, alone, strict=True):
        assert list(one) == pytest.approx(list(other), abs=1e-5)
    assert model.provider == "torch cpu"


def test_what_torch_cannot_read_fails_alone(t5):
    model = open_hf(str(t5), OpenRequest(source="en", target="pt"))
    long, half, fine = model.translate(["word " * 2000, "half \ud83d", SENTENCES[0]])
    assert "source has 2001 tokens; this model reads at most 1024" in long.reason
    assert "a lone surrogate" in half.reason
    assert [fine] == model.translate(SENTENCES[:1])
    failed, scored = model.score([ScorePair("One.", "word " * 2000), ScorePair(SENTENCES[0], TARGETS[0])])
    assert "target has 2001 tokens" in failed.reason
    assert [scored] == model.score([ScorePair(SENTENCES[0], TARGETS[0])])


def test_torch_computes_in_fp32_and_says_so_when_something_else_is_asked_for(t5):
    with pytest.raises(ModelError, match=r"runs in torch, which supports only the dtype fp32 here, not int8"):
        open_hf(str(t5), OpenRequest(source="en", target="pt", dtype="int8"))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is CUDA here")
def test_torch_without_the_cuda_that_was_asked_for_is_a_model_error(t5):
    model = open_hf(str(t5), OpenRequest(source="en", target="pt", device="cuda"))
    with pytest.raises(ModelError, match="cannot load it"):
        model.translate(["A house."])
    with pytest.raises(ModelError, match="unknown device"):
        open_hf(str(t5), OpenRequest(source="en", target="pt", device="tpu"))
