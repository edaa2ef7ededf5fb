"""`lm:`: translating and scoring by a prompt, equal to torch, whatever else is asked."""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest, Request, can_translate, is_deterministic
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair, reads_sources
from mtprobe.engine.export import export
from mtprobe.errors import Failure, ModelError
from tests.engine.lm.models import END, START, SmallLm, put_tokenizer

SOURCES = ["The nurse is here.", "He can't!", "one two three", "Où ça ?", "{source} {braces}"]
TARGETS = ["L'infirmière est là.", "Il ne peut pas !", "un deux trois", "", "日本 {target}"]
EN_FR = OpenRequest("en", "fr", threads=1)


def opened(spec: str, request: OpenRequest = EN_FR):
    return open_backend(ModelSpec.parse(spec), request)


@pytest.fixture(scope="module")
def model(small_lm: SmallLm):
    return opened(f"lm:{small_lm.folder}?max_new_tokens=12")


def text_of(source: str) -> str:
    instruction = "Translate the following text from English into French. Answer with the translation only."
    return f"<|user|>{instruction}\n\n{source}<|end|><|assistant|>"


def requests(sources) -> list[Request]:
    return [Request(source) for source in sources]


def test_the_model_reads_its_chat_template(model):
    assert [model.asking.text(source) for source in SOURCES] == [text_of(source) for source in SOURCES]
    shared = model.asking.tokenizer.text(model.asking.beginning)
    assert shared.rstrip().endswith("Answer with the translation only.")


def test_translations_are_those_of_generate(model, small_lm: SmallLm):
    tokenizer = model.asking.tokenizer
    expected = [
        tokenizer.text(small_lm.generate(tokenizer.ids(text_of(source), special=False), 12)).strip()
        for source in SOURCES
    ]
    assert model.translate(requests(SOURCES)) == expected


def test_scores_are_those_of_torch_and_end_with_the_end_of_the_turn(model, small_lm: SmallLm):
    tokenizer = model.asking.tokenizer
    pairs = [ScorePair(source, target) for source in SOURCES for target in TARGETS]
    for pair, scores in zip(pairs, model.score(pairs), strict=True):
        prompt = tokenizer.ids(text_of(pair.source), special=False)
        target = (*tokenizer.ids(pair.target, special=False), END)
        np.testing.assert_allclose(scores, small_lm.logprobs(prompt, target), rtol=0, atol=1e-4)
        assert model.score([pair])[0] == pytest.approx(scores, abs=1e-5, rel=0)


@pytest.mark.parametrize("options", ["", "&beams=3", "&sample=true&seed=5"])
def test_int8_answers_in_a_batch_are_those_alone(small_lm: SmallLm, options):
    """Padding would change what is rounded to 8 bits."""
    rounded = OpenRequest("en", "fr", threads=1, dtype="int8")
    model = opened(f"lm:{small_lm.folder}?max_new_tokens=24{options}", rounded)
    sources = [f"{'one two ' * number}{text}" for number in range(4) for text in ("three", "é ü", "five:")]
    together = model.translate(requests(sources))
    assert together == [model.translate([request])[0] for request in requests(sources)]
    assert len(set(together)) > 3


def test_tokens_have_places_in_the_target(model):
    for target in TARGETS:
        *spans, end = model.target_spans(target)
        assert end is None
        covered = {place for span in spans if span for place in range(*span)}
        assert covered == {place for place, letter in enumerate(target) if not letter.isspace()}
        assert len(spans) + 1 == len(model.score([ScorePair(SOURCES[0], target)])[0])


def test_a_text_that_is_not_unicode_fails_alone(model):
    broken, fine = model.translate(requests(["\ud800", SOURCES[0]]))
    assert isinstance(broken, Failure)
    assert isinstance(fine, str)
    scores = model.score([ScorePair("a", "\ud800"), ScorePair("\ud800", "a"), ScorePair("a", "a")])
    assert [isinstance(score, Failure) for score in scores] == [True, True, False]


def test_a_prompt_that_is_too_long_fails_alone(model):
    long, fine = model.translate(requests(["word " * 300, SOURCES[0]]))
    assert isinstance(long, Failure)
    assert "this model reads at most 256" in long.reason
    assert isinstance(fine, str)


def test_the_fingerprint_says_what_outputs_depend_on(small_lm: SmallLm, tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("instruction: 'Say in {target_language}: {source}'\n", encoding="utf-8")
    specs = ["", "?beams=3", "?prompt=plain", f"?prompt={mine}", "?sample=true", "?sample=true&seed=2"]
    models = [opened(f"lm:{small_lm.folder}{options}") for options in specs]
    models += [opened(f"lm:{small_lm.folder}", OpenRequest("en", "de"))]
    assert len({model.fingerprint for model in models}) == len(models)
    assert len({model.scoring_fingerprint for model in models}) == 4  # not for how answers are searched
    assert "prompt mine (" in models[3].decoding
    before = models[3].fingerprint
    mine.write_text("instruction: 'Write in {target_language}: {source}'\n", encoding="utf-8")
    assert opened(f"lm:{small_lm.folder}?prompt={mine}").fingerprint != before


def test_languages_may_be_part_of_the_spec(small_lm: SmallLm):
    model = opened(f"lm:{small_lm.folder}?source=en&target=pt", OpenRequest())
    assert str(model.languages) == "en→pt"
    assert "into Portuguese" in model.asking.text("x")
    with pytest.raises(ModelError, match="target=pt, but fr was asked for"):
        opened(f"lm:{small_lm.folder}?target=pt")


def test_hf_detects_a_language_model(small_lm: SmallLm, model):
    same = opened(f"hf:{small_lm.folder}?max_new_tokens=12")
    assert same.fingerprint == model.fingerprint
    with pytest.raises(ModelError, match='unknown option "prefix"'):
        opened(f"hf:{small_lm.folder}?prefix=x")


def test_an_exported_model_gives_the_same_numbers(model, tmp_path):
    export("small", model, tmp_path / "saved")
    saved = opened(f"onnx:{tmp_path / 'saved'}")
    assert saved.decoding == model.decoding
    assert saved.translate(requests(SOURCES)) == model.translate(requests(SOURCES))
    pair = ScorePair(SOURCES[0], TARGETS[0])
    assert saved.score([pair]) == model.score([pair])
    assert opened(f"onnx:{tmp_path / 'saved'}?beams=2").fingerprint != saved.fingerprint
    with pytest.raises(ModelError, match="is already exported"):
        export("saved", saved, tmp_path / "again")


def test_a_plain_prompt_is_one_text_that_ends_with_the_line(small_lm: SmallLm):
    model = opened(f"lm:{small_lm.folder}?prompt=plain&max_new_tokens=12")
    tokenizer = model.asking.tokenizer
    for source, target in zip(SOURCES, TARGETS, strict=True):
        prompt = tokenizer.ids(f"English: {source}\nFrench:", special=True)
        whole = tokenizer.ids(f"English: {source}\nFrench: {target}\n", special=True)
        assert whole[: len(prompt)] == prompt
        expected = small_lm.logprobs(prompt, whole[len(prompt) :])
        (scores,) = model.score([ScorePair(source, target)])
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-4)
        answer = tokenizer.text(small_lm.generate(prompt, 12))
        assert model.translate(requests([source])) == [answer.partition("\n")[0].strip().strip('"')]


# -- answers drawn at random --


def test_the_same_seed_draws_the_same_answers_and_a_repeat_the_next(small_lm: SmallLm):
    first, again, second = (
        opened(f"lm:{small_lm.folder}?max_new_tokens=6&sample=true&seed={seed}") for seed in (4, 4, 5)
    )
    assert not is_deterministic(first)
    answers = first.translate(requests(SOURCES))
    assert again.translate(requests(reversed(SOURCES))) == answers[::-1]
    repeated = first.translate([Request(source, repeat=1) for source in SOURCES])
    assert repeated == second.translate(requests(SOURCES)) != answers


def test_tokens_are_drawn_by_their_probability(small_lm: SmallLm):
    model = opened(f"lm:{small_lm.folder}?max_new_tokens=1&sample=true&temperature=0.5")
    count = 400
    drawn = Counter(model.translate([Request(SOURCES[0], repeat=repeat) for repeat in range(count)]))
    tokenizer = model.asking.tokenizer
    prompt = tokenizer.ids(text_of(SOURCES[0]), special=False)
    likeliest, seen = drawn.most_common(1)[0]
    logprobs = np.array([small_lm.logprobs(prompt, (token,))[0] for token in range(tokenizer.size)]) / 0.5
    chances = np.exp(logprobs - np.logaddexp.reduce(logprobs))
    texts = [tokenizer.text([token]).strip() for token in range(tokenizer.size)]
    chance = sum(chance for chance, text in zip(chances, texts, strict=True) if text == likeliest)
    assert abs(seen / count - chance) < 4 * math.sqrt(chance * (1 - chance) / count)


def test_a_small_top_p_leaves_the_likeliest(small_lm: SmallLm, model):
    drawn = opened(f"lm:{small_lm.folder}?max_new_tokens=12&sample=true&top_p=0.000001")
    assert drawn.translate(requests(SOURCES)) == model.translate(requests(SOURCES))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("sample=yes", "write true or false"),
        ("temperature=0.5", "add sample=true"),
        ("sample=true&temperature=0", "not between 0 and 10"),
        ("sample=true&top_p=2", "not between 0 and 1"),
        ("sample=true&beams=2", "give one of them"),
        ("max_new_tokens=99999", "at most 4,096"),
        ("max_new_token=9", 'did you mean "max_new_tokens"'),
        ("prompt=nowhere.yaml", "there is no such file; available: chat, plain, none"),
        ("prompt=caht", 'there is no such file; did you mean "chat"'),
        ("target=french", "not a language tag"),
    ],
)
def test_a_wrong_option_is_refused(small_lm: SmallLm, options, message):
    with pytest.raises(ModelError, match=message):
        opened(f"lm:{small_lm.folder}?{options}")


# -- without a prompt, and without graphs --


def test_without_a_prompt_it_scores_texts(small_lm: SmallLm):
    model = opened(f"lm:{small_lm.folder}?prompt=none", OpenRequest(target="fr"))
    assert not reads_sources(model)
    assert not can_translate(model)
    texts = [text for text in TARGETS if text]
    for text, scores in zip(texts, model.score([ScorePair("any", text) for text in texts]), strict=True):
        tokens = opened(f"lm:{small_lm.folder}").asking.tokenizer.ids(text, special=False)
        np.testing.assert_allclose(scores, small_lm.logprobs((START,), tokens), rtol=0, atol=1e-4)
        assert len(model.target_spans(text)) == len(scores)
    assert isinstance(model.score([ScorePair("any", "")])[0], Failure)


@pytest.fixture(scope="module")
def in_torch(tmp_path_factory, small_lm: SmallLm) -> SmallLm:
    """A model whose positions are scaled in a way that there are no graphs for."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("torch")
    put_tokenizer(folder)
    config = transformers.LlamaConfig.from_pretrained(small_lm.folder)
    config.rope_parameters = {
        "rope_type": "yarn",
        "rope_theta": 1e4,
        "factor": 4.0,
        "original_max_position_embeddings": 64,
    }
    torch.manual_seed(5)
    model = transformers.LlamaForCausalLM(config).eval()
    model.save_pretrained(folder)
    return SmallLm(folder, model)


def test_what_has_no_graphs_runs_in_torch(in_torch: SmallLm):
    model = opened(f"lm:{in_torch.folder}?max_new_tokens=8")
    tokenizer = model.asking.tokenizer
    pairs = [ScorePair(source, target) for source, target in zip(SOURCES, TARGETS, strict=True)]
    for pair, scores in zip(pairs, model.score(pairs), strict=True):
        prompt = tokenizer.ids(text_of(pair.source), special=False)
        target = (*tokenizer.ids(pair.target, special=False), END)
        np.testing.assert_allclose(scores, in_torch.logprobs(prompt, target), rtol=0, atol=1e-4)
    expected = [
        tokenizer.text(in_torch.generate(tokenizer.ids(text_of(source), special=False), 8)).strip()
        for source in SOURCES
    ]
    assert model.translate(requests(SOURCES)) == expected
    assert "torch" in model.runtime
    with pytest.raises(ModelError, match=r'scaling of positions "yarn".*not int8'):
        opened(f"lm:{in_torch.folder}", OpenRequest("en", "fr", dtype="int8"))


# -- damaged and unsuitable files --


def test_a_quantised_folder_is_refused(small_lm: SmallLm, tmp_path):
    folder = copied(small_lm, tmp_path)
    settings = json.loads((folder / "config.json").read_text())
    settings["quantization_config"] = {"quant_method": "gptq", "bits": 4}
    (folder / "config.json").write_text(json.dumps(settings))
    with pytest.raises(
        ModelError, match=r"config.json: the weights are quantised by 'gptq', which is not supported"
    ):
        opened(f"lm:{folder}")


def test_a_missing_tensor_is_named(small_lm: SmallLm, tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    folder = copied(small_lm, tmp_path)
    weights = safetensors.load_file(folder / "model.safetensors")
    del weights["lm_head.weight"]
    safetensors.save_file(weights, folder / "model.safetensors")
    with pytest.raises(ModelError, match=r'model\.safetensors: the tensor "lm_head\.weight" is missing'):
        opened(f"lm:{folder}").score([ScorePair("a", "b")])


def test_sizes_that_are_not_those_of_the_weights_are_refused(small_lm: SmallLm, tmp_path):
    folder = copied(small_lm, tmp_path)
    settings = json.loads((folder / "config.json").read_text())
    settings["num_key_value_heads"] = 3
    (folder / "config.json").write_text(json.dumps(settings))
    with pytest.raises(ModelError, match=r"k_proj\.weight\" has the shape \(16, 48\); expected \(24, 48\)"):
        opened(f"lm:{folder}").score([ScorePair("a", "b")])
    settings["num_key_value_heads"] = 4
    (folder / "config.json").write_text(json.dumps(settings))
    with pytest.raises(
        ModelError, match=r"config.json: .num_key_value_heads.: 4 does not divide the 6 attention"
    ):
        opened(f"lm:{folder}")


def test_a_folder_without_a_tokenizer_is_refused(small_lm: SmallLm, tmp_path):
    folder = copied(small_lm, tmp_path)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    with pytest.raises(ModelError, match=r"there is no tokenizer\.json, nor another tokenizer"):
        opened(f"lm:{folder}")


def test_a_damaged_tokenizer_is_refused(small_lm: SmallLm, tmp_path):
    folder = copied(small_lm, tmp_path)
    (folder / "tokenizer.json").write_text('{"model": {}}')
    with pytest.raises(ModelError, match=r"tokenizer.json: not a usable tokenizer"):
        opened(f"lm:{folder}")


def test_a_translation_model_is_not_a_language_model(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "marian", "architectures": ["MarianMTModel"]}')
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelError, match=r"a marian model is not a decoder-only language model.*use hf:"):
        opened(f"lm:{tmp_path}")


def test_a_chat_prompt_needs_a_template(small_lm: SmallLm, tmp_path):
    folder = copied(small_lm, tmp_path)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    del settings["chat_template"]
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    assert opened(f"lm:{folder}").asking.prompt.name == "plain"
    with pytest.raises(ModelError, match="has no chat template; use prompt=plain"):
        opened(f"lm:{folder}?prompt=chat")


def copied(model: SmallLm, folder):
    for path in model.folder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder
