"""SmolLM2-135M-Instruct from a GGUF file by `lm:`: the answers of transformers' `generate`, and its log-probabilities"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mtprobe.backends.protocols import OpenRequest, Request
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair, mean
from mtprobe.cli import main
from mtprobe.engine.lm.cleaning import cleaned
from tests.conftest import ROOT

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("gguf")

NEW_TOKENS = 40
SOURCES = [
    "He can't!",
    "The nurse finished her shift early.",
    "The doctor asked the nurse to help him with the patient.",
    "Good morning, my friend.",
    "Is the bank still open, or do we have to sit on the other bank?",
    "In 2019, 3.5 million visitors paid $12 each; the museum kept half of it.",
    "Où est la bibliothèque?",
    "The cat sleeps on the table. The dog is hungry!",
]
TARGETS = [
    "Il ne peut pas !",
    "L'infirmière a terminé son service plus tôt.",
    "Le médecin a demandé à l'infirmière de l'aider avec le patient.",
    "Bonjour, mon ami.",
    "La banque est-elle encore ouverte ?",
    "En 2019, 3,5 millions de visiteurs ont payé 12 dollars chacun.",
    "日本語",
    "",
]


@pytest.fixture(scope="module")
def path(models: Path) -> Path:
    return models / "smollm2-135m-instruct" / "smollm2-135m-instruct.gguf"


@pytest.fixture(scope="module")
def tokenizer(path):
    return transformers.AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)


@pytest.fixture(scope="module")
def reference(path):
    """transformers' own reading of the file, without accelerate, which `from_pretrained` would need for it."""
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    config = transformers.LlamaConfig(**load_gguf_checkpoint(str(path))["config"])
    with torch.device("meta"):
        empty = transformers.LlamaForCausalLM(config)
    loaded = load_gguf_checkpoint(str(path), return_tensors=True, model_to_load=empty)
    model = transformers.LlamaForCausalLM(config)
    assert model.load_state_dict(loaded["tensors"], strict=False).missing_keys == ["lm_head.weight"]
    model.tie_weights()
    return model.eval()


@pytest.fixture(scope="module")
def ours(path):
    return open_backend(ModelSpec.parse(f"lm:{path}?max_new_tokens={NEW_TOKENS}"), OpenRequest("en", "fr"))


def prompt_of(tokenizer, source: str) -> list[int]:
    text = (
        "Translate the following text from English into French. Answer with the translation only.\n\n"
        + source
    )
    messages = [{"role": "user", "content": text}]
    return tokenizer.apply_chat_template(messages, add_generation_prompt=True)["input_ids"]


def logprobs(model, prompt: list[int], target: list[int]) -> list[float]:
    ids = torch.tensor([[*prompt, *target]])
    with torch.inference_mode():
        values = model(ids).logits.log_softmax(-1)[0]
    return values[len(prompt) - 1 : -1].gather(1, torch.tensor(target)[:, None])[:, 0].tolist()


def test_prompts_are_those_of_transformers(ours, tokenizer):
    for source in SOURCES:
        assert list(ours.asking.prompt_tokens(source)) == prompt_of(tokenizer, source)


def test_translations_are_those_of_generate(ours, tokenizer, reference):
    expected = []
    for source in SOURCES:
        ids = torch.tensor([prompt_of(tokenizer, source)])
        with torch.inference_mode():
            (sequence,) = reference.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                do_sample=False,
                max_new_tokens=NEW_TOKENS,
                eos_token_id=tokenizer.eos_token_id,
                pad_token_id=tokenizer.eos_token_id,
            )
        answer = tokenizer.decode(sequence[ids.shape[1] :], skip_special_tokens=True)
        expected.append(cleaned(answer, ours.asking.prompt.content.clean, source))
    assert ours.translate([Request(source) for source in SOURCES]) == expected
    assert len(set(expected)) == len(SOURCES)


def test_log_probabilities_are_those_of_torch_alone_as_in_a_batch(ours, tokenizer, reference):
    pairs = [
        *(ScorePair(*pair) for pair in zip(SOURCES, TARGETS, strict=True)),
        *(ScorePair(SOURCES[1], target) for target in TARGETS),
    ]
    for pair, scores in zip(pairs, ours.score(pairs), strict=True):
        target = [*tokenizer(pair.target, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
        expected = logprobs(reference, prompt_of(tokenizer, pair.source), target)
        assert scores == pytest.approx(expected, abs=1e-4, rel=0)
        assert ours.score([pair])[0] == pytest.approx(scores, abs=1e-5, rel=0)


def test_once_converted_it_needs_neither_torch_nor_transformers(ours, path):
    expected = ours.score([ScorePair(SOURCES[1], TARGETS[1])])
    code = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'gguf'): sys.modules[name] = None\n"
        "from mtprobe.backends import open_model\n"
        f"model = open_model('lm:{path}', source='en', target='fr', device='cpu')\n"
        f"print(*model.score([({SOURCES[1]!r}, {TARGETS[1]!r})])[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [float(number) for number in done.stdout.split()] == pytest.approx(expected[0], abs=1e-5)


def test_it_prefers_the_gender_of_the_cue(ours):
    """As contrastive conditioning asks: one translation under two sources."""
    for target, right, wrong in (
        ("L'infirmière a terminé son service.", "woman", "man"),
        ("L'infirmier a terminé son service.", "man", "woman"),
    ):
        sources = [f"The {cue} nurse finished the shift." for cue in (right, wrong)]
        good, bad = ours.score([ScorePair(source, target) for source in sources])
        assert mean(good) > mean(bad)


def test_its_audit_says_that_it_is_no_judge(path, tmp_path, capsys):
    """Far better than chance, and not good enough: it knows the cues, and translates badly."""
    suite = ROOT / "suites" / "gender" / "occupations.mt.yaml"
    languages = ["--source", "en", "--target", "fr"]
    store = ["--store", str(tmp_path / "store.db"), "--json"]
    assert main(["audit", str(suite), "--evaluator", f"lm:{path}", "--pairs-only", *languages, *store]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    form = next(form for form in report["forms"] if form["form"] == report["used"] == "woman-man")
    assert form["verdict"] == "unfit"
    assert form["accuracy"]["n"] == 96
    assert form["accuracy"]["value"] == pytest.approx(0.79, abs=0.03)
    assert form["accuracy"]["low"] > 0.5
