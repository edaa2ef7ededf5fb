"""Tokenizers like that of Llama 2: a space begins each text, bytes stand for rare characters, and `<s>` comes first."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair
from tests.engine.lm.models import SENTENCES, SmallLm

tokenizers = pytest.importorskip("tokenizers")
TEMPLATE = (
    "{% for message in messages %}{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + message['content'] + ' [/INST]' }}"
    "{% else %}{{ ' ' + message['content'] + ' ' + eos_token }}{% endif %}{% endfor %}"
)
SPECIAL = ("</s>", "<s>", "<unk>")  # in the order of the ends of `models.py`
SOURCES = ["The nurse.", "Où 日本?", "one"]
TARGETS = ["L'infirmière", "L'infirmière a terminé", "", "日本 🙂", " x"]


@pytest.fixture(scope="module")
def model(small_lm: SmallLm, tmp_path_factory) -> SmallLm:
    folder = tmp_path_factory.mktemp("llama2") / "model"
    shutil.copytree(small_lm.folder, folder)
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    )
    tokenizer.normalizer = tokenizers.normalizers.Sequence(
        [tokenizers.normalizers.Prepend("▁"), tokenizers.normalizers.Replace(" ", "▁")]
    )
    tokenizer.decoder = tokenizers.decoders.Sequence(
        [
            tokenizers.decoders.Replace("▁", " "),
            tokenizers.decoders.ByteFallback(),
            tokenizers.decoders.Fuse(),
            tokenizers.decoders.Strip(" ", 1, 0),
        ]
    )
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=350,
        special_tokens=[*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256))],
        show_progress=False,
    )
    tokenizer.train_from_iterator([*SENTENCES, "[INST] [/INST]"], trainer)
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", SPECIAL.index("<s>"))]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    names = {"eos_token": "</s>", "bos_token": "<s>", "chat_template": TEMPLATE}
    (folder / "tokenizer_config.json").write_text(json.dumps(names), encoding="utf-8")
    return SmallLm(folder, small_lm.torch_model)


@pytest.mark.parametrize(
    ("options", "begins", "ends"),
    [
        (
            "",
            "<s>[INST] Translate the following text from English into French. Answer with the translation only."
            "\n\n{} [/INST]",
            " {}</s>",
        ),
        ("?prompt=plain", "English: {}\nFrench:", " {}\n"),
    ],
    ids=["chat", "plain"],
)
def test_a_target_has_the_tokens_that_it_has_after_its_prompt(model: SmallLm, options, begins, ends):
    tokenizer = tokenizers.Tokenizer.from_file(str(model.folder / "tokenizer.json"))
    backend = open_backend(
        ModelSpec.parse(f"lm:{model.folder}{options}"), OpenRequest("en", "fr", device="cpu", threads=1)
    )
    pairs = [ScorePair(source, target) for source in SOURCES for target in TARGETS]
    plain = bool(options)  # a template writes `<s>` itself
    for pair, scores in zip(pairs, backend.score(pairs), strict=True):
        prompt = tokenizer.encode(begins.format(pair.source), add_special_tokens=plain).ids
        both = tokenizer.encode(
            begins.format(pair.source) + ends.format(pair.target), add_special_tokens=plain
        ).ids
        assert both[: len(prompt)] == prompt
        expected = model.logprobs(prompt, both[len(prompt) :])
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-4)
