"""Settings of a model's files that change its numbers are applied as transformers applies them, or named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest, Request
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.checkpoints.causal.config import CausalConfig, NoGraphs, read_causal_config
from mtprobe.engine.checkpoints.huggingface.files import local_folder
from mtprobe.errors import ModelError
from tests.engine.lm.models import START, make, put_tokenizer

EN_FR = OpenRequest("en", "fr", threads=1)
PAIR = ScorePair("The nurse finished her shift early.", "L'infirmière a terminé son service.")


def changed(source: Path, folder: Path, **settings: Any) -> Path:
    """A copy of a model with other settings; None removes one."""
    shutil.copytree(source, folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config = {name: value for name, value in {**config, **settings}.items() if value is not None}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def opened(folder: Path, options: str = ""):
    return open_backend(ModelSpec.parse(f"lm:{folder}{options}"), EN_FR)


def assert_scores_are_those_of_transformers(folder: Path) -> None:
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    reference = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    model = opened(folder)
    prompt, target = model.asking.prompt_tokens(PAIR.source), model.asking.target_tokens(*PAIR)
    ids = torch.tensor([[*prompt, *target]])
    with torch.inference_mode():
        logprobs = reference(ids).logits.log_softmax(-1)[0]
    expected = logprobs[len(prompt) - 1 : -1].gather(1, ids[0, len(prompt) :, None])[:, 0].numpy()
    np.testing.assert_allclose(model.score([PAIR])[0], expected, rtol=0, atol=1e-4)


_LLAMA3 = {
    "rope_type": "llama3",
    "factor": 32.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}


@pytest.mark.parametrize(
    "settings",
    [
        {"rope_parameters": None, "rope_theta": 500_000.0, "rope_scaling": _LLAMA3},
        {"rope_parameters": {**_LLAMA3, "rope_theta": 1e4}, "original_max_position_embeddings": 16},
        {"rope_parameters": {"rope_type": "default", "rope_theta": 100.0}, "rope_theta": 1e5},
        {"rope_scaling": {"type": "linear", "factor": 3.0}},
        {"rms_norm_eps": 0.3},
        {"tie_word_embeddings": True},  # although the output has weights of its own
    ],
    ids=["as before", "two lengths", "two bases", "two scalings", "epsilon", "tied in name only"],
)
def test_settings_are_read_as_transformers_reads_them(small_lm, tmp_path, settings):
    assert_scores_are_those_of_transformers(changed(small_lm.folder, tmp_path / "model", **settings))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"hidden_act": "gelu"}, "the activation gelu"),
        ({"partial_rotary_factor": 0.5}, "heads that are rotated in part"),
        ({"sliding_window": 8}, "llama models with a sliding window"),
        ({"layer_types": ["full_attention", "sliding_attention", "full_attention"]}, "`layer_types`"),
        ({"rope_parameters": {"full_attention": {"rope_theta": 1e4}}}, "scaled by kind of layer"),
        ({"rope_parameters": {"rope_type": "yarn", "factor": 4.0}}, 'the scaling of positions "yarn"'),
    ],
)
def test_what_graphs_cannot_do_is_left_to_torch(small_lm, tmp_path, settings, reason):
    folder = changed(small_lm.folder, tmp_path / "model", **settings)
    config = read_causal_config(local_folder("model", folder))
    assert isinstance(config, NoGraphs)
    assert reason in config.reason


def test_a_mistral_model_with_kinds_of_layers_is_left_to_torch(tmp_path):
    mistral = make(tmp_path / "mistral", "sliding window").folder
    kinds = ["sliding_attention"] * 3
    same = changed(mistral, tmp_path / "same", layer_types=kinds)
    assert isinstance(read_causal_config(local_folder("same", same)), CausalConfig)
    mixed = changed(mistral, tmp_path / "mixed", layer_types=[*kinds[:2], "full_attention"])
    assert isinstance(read_causal_config(local_folder("mixed", mixed)), NoGraphs)


def test_layers_of_smollm3_without_positions_are_those_of_its_list(tmp_path):
    smollm3 = make(tmp_path / "smollm3", "some layers of SmolLM 3 without positions").folder
    given = changed(smollm3, tmp_path / "given", no_rope_layers=[0, 1, 1, 1])
    assert_scores_are_those_of_transformers(given)
    computed = changed(smollm3, tmp_path / "computed", no_rope_layers=None, no_rope_layer_interval=3)
    assert_scores_are_those_of_transformers(computed)
    configs = [read_causal_config(local_folder("smollm3", folder)) for folder in (given, computed)]
    assert [config.unrotated for config in configs if isinstance(config, CausalConfig)] == [(0,), (2,)]
    with pytest.raises(ModelError, match=r'"no_rope_layers": should be a list with 1 or 0 for each of 3'):
        opened(changed(smollm3, tmp_path / "short", no_rope_layers=[1, 0]))
    windows = changed(smollm3, tmp_path / "windows", use_sliding_window=True, sliding_window=8)
    assert isinstance(read_causal_config(local_folder("windows", windows)), NoGraphs)


@pytest.mark.parametrize(
    ("variant", "settings", "message"),
    [
        ("biases", {"mlp_bias": False}, r'"model\.layers\.0\.mlp\.\w+_proj\.bias" is not part of the llama'),
        ("biases", {"attention_bias": False}, r"self_attn\.\w_proj\.bias\" is not part of the llama"),
        ("grouped queries", {"attention_bias": True}, r"self_attn\.k_proj\.bias\" is missing"),
        ("norms of Qwen 3", {"model_type": "qwen2"}, r"\"model\.layers\.0\.self_attn\.\w_"),
        ("grouped queries", {"tie_word_embeddings": None, "num_hidden_layers": 4}, r"layers\.3.* is missing"),
    ],
)
def test_weights_that_the_settings_do_not_explain_are_an_error(tmp_path, variant, settings, message):
    folder = changed(make(tmp_path / "given", variant).folder, tmp_path / "changed", **settings)
    with pytest.raises(ModelError, match=message):
        opened(folder).score([PAIR])


def test_an_adapter_has_to_be_merged_first(small_lm, tmp_path):
    folder = changed(small_lm.folder, tmp_path / "model")
    (folder / "adapter_config.json").write_text('{"peft_type": "LORA"}', encoding="utf-8")
    with pytest.raises(ModelError, match=r"adapter_config\.json: adapters are not supported: merge"):
        opened(folder)


@pytest.mark.parametrize("scaled_otherwise", [False, True], ids=["ONNX Runtime", "torch"])
def test_settings_of_generate_are_named_and_not_applied(small_lm, tmp_path, scaled_otherwise):
    yarn = {"rope_parameters": {"rope_type": "yarn", "factor": 4.0, "rope_theta": 1e4}}
    folder = changed(small_lm.folder, tmp_path / "model", **(yarn if scaled_otherwise else {}))
    requests = [Request(text) for text in ("one two one two", "The nurse is here.")]
    without = opened(folder, "?max_new_tokens=16")
    expected = without.translate(requests)
    settings = {"eos_token_id": 0, "do_sample": True, "top_k": 3, "repetition_penalty": 1.5, "min_length": 4}
    (folder / "generation_config.json").write_text(json.dumps(settings), encoding="utf-8")
    model = opened(folder, "?max_new_tokens=16")
    assert ", without the model's min_length, repetition_penalty, " in model.decoding
    assert "without" not in without.decoding
    assert model.translate(requests) == expected


def test_a_plain_prompt_does_not_end_with_the_end_of_a_text(small_lm, tmp_path):
    """As it would, if the tokenizer's own tokens were added after it, too."""
    from tokenizers import Tokenizer, processors

    folder = changed(small_lm.folder, tmp_path / "model")
    put_tokenizer(folder, template=None)
    path = folder / "tokenizer.json"
    expected = opened(folder).asking.prompt_tokens("one two")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<|start|>:0 $A:0 <|end|>:0", special_tokens=[("<|start|>", START), ("<|end|>", 0)]
    )
    tokenizer.save(str(path))
    model = opened(folder)
    assert model.asking.prompt_tokens("one two") == (START, *expected)
    spans = model.target_spans("one two")
    assert len(spans) == len(model.score([ScorePair("A", "one two")])[0])
