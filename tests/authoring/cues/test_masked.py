"""The masked language model: predictions do not depend on the batch or length; other models are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from mtprobe.authoring.cues.masked import CueModel
from mtprobe.authoring.cues.material import FocusContext
from mtprobe.engine.checkpoints.huggingface.files import resolve
from mtprobe.errors import ModelError

ENDING = "was wet with water"


def context(source: str) -> FocusContext:
    start, end = source.index("<"), source.index(">") - 1
    return FocusContext(source, source.replace("<", "").replace(">", ""), (start, end))


@pytest.fixture(scope="module")
def model(mlm: Path) -> CueModel:
    return CueModel(resolve(str(mlm)), "en", "cpu")


def best(model: CueModel, source: str, count: int = 8) -> set[str]:
    (probabilities,) = model.before_focus([context(source)])
    return {model.words[at] for at in np.argsort(-probabilities)[:count]}


def test_probabilities_are_those_of_torch(model, mlm):
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(mlm)
    inputs = tokenizer("the [MASK] bank was wet with water .", return_tensors="pt")
    with torch.inference_mode():
        of_tokens = AutoModelForMaskedLM.from_pretrained(mlm)(**inputs).logits[0, 2].softmax(-1)
    (found,) = model.before_focus([context("the <bank> was wet with water .")])
    expected = of_tokens[
        tokenizer.convert_tokens_to_ids(["muddy", "Muddy"])
    ].sum()  # of the two that are one word
    assert found[model.words.index("muddy")] == pytest.approx(float(expected), rel=1e-4)


def test_a_context_is_read_alike_in_any_company(model):
    texts = [
        f"the <bank> {ENDING}.",
        f"<Bank> {ENDING}.",
        f"the <bank> {ENDING} and water and water and water and water.",
    ]
    together = model.before_focus([context(text) for text in texts])
    for row, text in zip(together, texts, strict=True):
        assert model.before_focus([context(text)])[0] == pytest.approx(row, rel=1e-4, abs=1e-9)


def test_a_word_that_opens_the_sentence_is_asked_about_too(model):
    assert {"muddy", "grassy", "steep", "sandy"} <= best(model, f"<Bank> {ENDING}.")


@pytest.mark.parametrize("filler", ["water " * 200, "frogs and reeds " * 90])
def test_of_a_text_that_is_too_long_the_middle_is_read(model, filler):
    found = model.before_focus([context(f"{filler} the <bank> {ENDING}. {filler}")])
    assert np.isfinite(found).all()
    assert 0 < found.sum() <= 1 + 1e-9


def test_a_sentence_that_quotes_the_mask_is_asked_at_the_right_one(model):
    plain = model.before_focus([context("the <bank> [MASK].")])
    quoted = model.before_focus([context("[MASK] the <bank>.")])
    assert plain.shape == quoted.shape
    assert plain[0] != pytest.approx(quoted[0])


def test_a_model_without_a_head_is_not_taken(mlm, tmp_path):
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(mlm, tmp_path / "headless")
    weights = load_file(folder / "model.safetensors")
    kept = {
        name: tensor for name, tensor in weights.items() if not name.startswith("cls.predictions.transform")
    }
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match="not a masked language model: the weights lack cls"):
        _ = CueModel(resolve(str(folder)), "en", "cpu").words


def test_a_model_of_another_kind_is_not_taken(tmp_path, mlm):
    folder = shutil.copytree(mlm, tmp_path / "other")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "marian"}))
    with pytest.raises(ModelError, match="cannot load it as a masked language model"):
        _ = CueModel(resolve(str(folder)), "en", "cpu").words


def test_a_vocabulary_in_other_letters_has_nothing_to_propose(mlm):
    with pytest.raises(ModelError, match="its vocabulary has no words in the script of ja"):
        _ = CueModel(resolve(str(mlm)), "ja", "cpu").words


def test_weights_that_torch_pickled_are_read_without_running_them(mlm, tmp_path):
    import torch
    from safetensors.torch import load_file

    folder = shutil.copytree(mlm, tmp_path / "pickled")
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    pickled = CueModel(resolve(str(folder)), "en", "cpu")
    asked = [context(f"the <bank> {ENDING}.")]
    assert pickled.before_focus(asked) == pytest.approx(
        CueModel(resolve(str(mlm)), "en", "cpu").before_focus(asked)
    )


def test_missing_cuda_is_an_error(mlm):
    import torch

    if torch.cuda.is_available():
        pytest.skip("CUDA is there")
    with pytest.raises(ModelError, match="torch finds no devices; --device auto"):
        _ = CueModel(resolve(str(mlm)), "en", "cuda").words


def test_in_place_of_the_focus_it_is_torch_too(model, mlm):
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(mlm)
    inputs = tokenizer("the [MASK] was wet with water .", return_tensors="pt")
    with torch.inference_mode():
        of_tokens = AutoModelForMaskedLM.from_pretrained(mlm)(**inputs).logits[0, 2].softmax(-1)
    (found,) = model.instead_of_focus([context("the <bank> was wet with water .")])
    expected = of_tokens[tokenizer.convert_tokens_to_ids("bank")]
    assert found[model.words.index("bank")] == pytest.approx(float(expected), rel=1e-4)
