"""Language models behind real servers: the log-probabilities of llama-cpp-python's, and what llama.cpp's own can do"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pytest

import mtprobe
from mtprobe.backends import Failure, ScorePair, open_model
from mtprobe.errors import ModelError
from mtprobe.suites import load_suite
from tests.conftest import ROOT
from tests.real import servers

WOMAN, MAN = "The woman nurse is here.", "The man nurse is here."
HER, HIM = "L'infirmière est là.", "L'infirmier est là."
SHORT = ("template=chatml", "system=", "prompt=Translate into {target}: {text}")
AWKWARD = ("Ça va ? 你好, мир 🙂", "🙂", "你好。", "", "L'été\n\nfut long.", "<b>{x}</b> </s>")


@pytest.fixture(scope="module")
def weights(models) -> Path:
    return models / "smollm2-135m-instruct" / "smollm2-135m-instruct.gguf"


@pytest.fixture(scope="module")
def llama(weights) -> Iterator[str]:
    with servers.llama_cpp_python(weights) as address:
        yield address


@pytest.fixture(scope="module")
def llama_cpp(weights) -> Iterator[str]:
    with servers.xllamacpp(weights) as address:
        yield address


@pytest.fixture(autouse=True)
def _no_key(monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def opened(address: str, *options: str):
    spec = "&".join([f"openai:{servers.NAME}?url={address}&concurrency=1&timeout=300", *options])
    return open_model(spec, source="en", target="fr")


def sentences(count: int) -> list[ScorePair]:
    """Good and bad translations."""
    suite = load_suite(ROOT / "suites" / "minimal_pairs" / "en-fr" / "errors.mt.yaml")
    contrasts = [(sample.source, sample.targets_in("fr")) for sample in sorted(suite.samples, key=suite.rank)]
    return [
        ScorePair(source, target)
        for source, contrast in contrasts[:count]
        for target in (contrast.correct[0], contrast.incorrect[0])
    ]


@pytest.fixture(scope="module")
def reference(weights):
    """The log-probabilities of transformers, with the weights of the file as 32-bit numbers."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("gguf")
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    tokenizer = transformers.AutoTokenizer.from_pretrained(str(weights.parent), gguf_file=weights.name)
    config = transformers.LlamaConfig(**load_gguf_checkpoint(str(weights))["config"])
    network = transformers.LlamaForCausalLM(config).eval()
    tensors = load_gguf_checkpoint(str(weights), return_tensors=True, model_to_load=network)["tensors"]
    missing = network.load_state_dict(tensors, strict=False).missing_keys
    assert missing == ["lm_head.weight"]
    network.tie_weights()

    def scores(prompt: str, rest: str) -> list[float]:
        before = tokenizer(prompt, add_special_tokens=False).input_ids
        tokens = tokenizer(f"{prompt}{rest}", add_special_tokens=False).input_ids
        assert tokens[: len(before)] == before
        with torch.no_grad():
            values = torch.log_softmax(network(torch.tensor([tokens])).logits[0], -1)
        return [float(values[place - 1, tokens[place]]) for place in range(len(before), len(tokens))]

    return scores


def prompt_of(model, pair: ScorePair) -> str:
    return model.backend._scoring.prompted(0, pair).prompt


def test_scores_are_those_of_the_same_weights_but_for_quantized_activations(llama, reference):
    model = opened(llama, *SHORT)
    pairs = sentences(4)
    differences: list[float] = []
    for pair, scores in zip(pairs, model.score(pairs), strict=True):
        expected = reference(prompt_of(model, pair), f"{pair.target}<|im_end|>")
        assert len(scores) == len(expected)
        differences += [abs(one - other) for one, other in zip(scores, expected, strict=True)]
    assert len(differences) > 100
    assert fmean(differences) < 0.15
    assert max(differences) < 2.0


def test_the_tokens_of_a_target_are_all_and_only_its_own_whatever_it_is(llama, reference):
    model = opened(llama, *SHORT)
    pairs = [ScorePair("Hello 🙂 你好", target) for target in AWKWARD]
    for pair, scores in zip(pairs, model.score(pairs), strict=True):
        expected = reference(prompt_of(model, pair), f"{pair.target}<|im_end|>")
        assert not isinstance(scores, Failure), scores
        assert len(scores) == len(expected)
        assert fmean(scores) == pytest.approx(fmean(expected), abs=1.0)


def test_a_nurse_is_infirmiere_if_a_woman_and_infirmier_if_a_man(llama):
    """By the mean over tokens, as everywhere."""
    model = opened(llama, *SHORT)
    pairs = [ScorePair(source, target) for source in (WOMAN, MAN) for target in (HER, HIM)]
    her_woman, him_woman, her_man, him_man = map(fmean, model.score(pairs))
    assert her_woman > him_woman
    assert him_man > her_man


def test_a_score_depends_little_on_what_was_scored_before(llama):
    """The server computes what two prompts share once, which rounds in another way."""
    model = opened(llama, *SHORT)
    pairs = sentences(2)
    there = model.score(pairs)
    back = model.score(pairs[::-1])[::-1]
    differences = [abs(fmean(one) - fmean(other)) for one, other in zip(there, back, strict=True)]
    assert max(differences) < 0.1


def test_without_the_models_first_token_log_probabilities_are_those_of_the_next_and_nothing_is_scored(llama):
    model = opened(llama, "template={source}%0A{target}%0A")
    with pytest.raises(ModelError, match="start the template with it"):
        model.score([ScorePair(WOMAN, HER)])


def test_a_prompt_that_ends_with_a_space_is_an_error_of_the_pair(llama):
    model = opened(llama, "template=<|im_start|>{source} = {target}<|im_end|>")
    (failure,) = model.score([ScorePair(WOMAN, HER)])
    assert isinstance(failure, Failure)
    assert "no token starts where the target starts" in failure.reason


def test_what_is_longer_than_the_context_fails_alone(llama):
    failure, scores = opened(llama, *SHORT).score([ScorePair("word " * 1500, HER), ScorePair(WOMAN, HER)])
    assert isinstance(failure, Failure)
    assert "maximum context length" in failure.reason
    assert not isinstance(scores, Failure)


def test_a_run_is_judged_by_the_server_and_the_next_one_by_the_store(weights, tmp_path):
    suite = ROOT / "suites" / "minimal_pairs" / "en-fr" / "errors.mt.yaml"
    with servers.llama_cpp_python(weights) as address:
        spec = f"openai:{servers.NAME}?url={address}&{'&'.join(SHORT)}&version=1"
        first = run(suite, spec, tmp_path)
    again = run(suite, spec, tmp_path)
    assert [row["outcome"] for row in again] == [row["outcome"] for row in first]
    assert {row["outcome"] for row in first} <= {"correct", "incorrect"}
    assert len(first) == 2


def run(suite: Path, spec: str, folder: Path) -> list[dict]:
    settings = {"source": "en", "target": "fr", "take": 2, "store": folder / "store.db"}
    return list(mtprobe.run([suite], spec, **settings).to_rows())


# -- llama.cpp's own server --


def test_llama_cpps_own_server_translates_by_chat(llama_cpp):
    model = opened(llama_cpp, "system=", "prompt=Translate into {target}: {text}", "max_tokens=60")
    texts = model.translate([WOMAN, "Good morning.", WOMAN])
    assert texts[0] == texts[2]
    assert any(isinstance(text, str) and text for text in texts)
    assert model.backend.provider


def test_it_cannot_score_and_that_is_said(llama_cpp):
    with pytest.raises(
        ModelError, match=r"smollm2 cannot score: .* of the generated token only\. vLLM and llama"
    ):
        opened(llama_cpp, "template=chatml").score([ScorePair(WOMAN, HER)])
