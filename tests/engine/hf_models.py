"""Small Hugging Face models of each family, in folders as written by transformers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.engine.checkpoints import factory

LANGUAGES = {"nllb": ("eng_Latn", "por_Latn"), "m2m100": ("en", "pt"), "mbart50": ("en_XX", "pt_XX")}
MAKERS: dict[str, Callable[[Path, Path], Path]] = {
    "marian": lambda to, v: factory.put_marian(
        to, v / "en.spm", v / "de-pt.spm", source_lang="en", target_lang="pt"
    ),
    "nllb": lambda to, v: factory.put_nllb(to, v / "bpe.model", tokenizer_json=True),
    "m2m100": lambda to, v: factory.put_m2m100(to, v / "bpe.model"),
    "mbart50": lambda to, v: factory.put_mbart50(to, v / "unigram.model"),
}


class SmallModel(NamedTuple):
    kind: str
    folder: Path
    model: Any
    tokenizer: Any

    @property
    def forced(self) -> dict[str, int]:
        if self.kind == "marian":
            return {}
        return {"forced_bos_token_id": self.tokenizer.convert_tokens_to_ids(LANGUAGES[self.kind][1])
                if self.kind != "m2m100" else self.tokenizer.get_lang_id("pt")}  # fmt: skip


def train_vocabularies(folder: Path) -> Path:
    for name, spoken, kind, size in (
        ("en.spm", ["en"], "unigram", 120), ("de-pt.spm", ["de", "pt"], "unigram", 200),
        ("bpe.model", [], "bpe", 500), ("unigram.model", [], "unigram", 500),
    ):  # fmt: skip
        factory.train(folder / name, spoken, kind, size)
    return folder


def make(kind: str, folder: Path, vocabularies: Path) -> SmallModel:
    """A small model with random weights large enough for clear choices."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.set_num_threads(1)  # the models are too small for several threads
    MAKERS[kind](folder, vocabularies)
    settings = json.loads((folder / "config.json").read_text())
    settings["max_position_embeddings"] = 96
    if kind == "marian":
        settings["bad_words_ids"] = [[settings["pad_token_id"]]]
    factory.put(folder / "config.json", settings)
    (folder / "model.safetensors").unlink()
    torch.manual_seed(3)
    config = transformers.AutoConfig.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_config(config).eval()
    with torch.no_grad():
        for name, values in model.named_parameters():
            if values.ndim == 2 and "embed_positions" not in name:
                values.normal_(0, 0.4)
    model.generation_config.max_length = 24
    model.generation_config.num_beams = 4
    model.save_pretrained(folder)
    source, target = LANGUAGES.get(kind, (None, None))
    named = {"src_lang": source, "tgt_lang": target} if source else {}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **named)
    return SmallModel(kind, folder, model, tokenizer)
