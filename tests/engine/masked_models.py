"""Small masked language models, in folders as written by transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "bird",
    "frog",
    "meows",
    "barks",
    "sings",
    "croaks",
    "today",
    "here",
    "while",
    "it",
    "sleeps",
    ".",
    ",",
    "The",
    "A",
    "Cat",
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tokenizer_of(words: list[str] = WORDS) -> Any:
    """Words, and the letters of unknown words."""
    tokenizers, transformers = pytest.importorskip("tokenizers"), pytest.importorskip("transformers")
    letters = sorted(set("".join(words)) | set("abcdefghijklmnopqrstuvwxyz"))
    entries = dict.fromkeys([*SPECIAL, *words, *letters, *(f"##{letter}" for letter in letters)])
    core = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({entry: id for id, entry in enumerate(entries)}, unk_token="[UNK]")
    )
    core.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    core.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=core, **names)


def make(folder: Path, kind: str = "bert", positions: int = 40, *, sharp: bool = True) -> tuple[Any, Any]:
    """A model with random weights, large enough for distinct probabilities, and its tokenizer."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    tokenizer = tokenizer_of()
    config = transformers.AutoConfig.for_model(
        kind,
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=positions,
        pad_token_id=tokenizer.pad_token_id,
        **({"embedding_size": 16} if kind in ("albert", "electra") else {}),
        **({"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48} if kind == "distilbert" else {}),
    )
    model = transformers.AutoModelForMaskedLM.from_config(config).eval()
    with torch.no_grad():
        for name, values in model.named_parameters():
            if sharp and values.ndim == 2 and "position" not in name:
                values.normal_(0, 0.4)
    save(folder, model, tokenizer)
    return model, tokenizer


def save(folder: Path, model: Any, tokenizer: Any) -> None:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def train(model: Any, tokenizer: Any, sentences: list[str], steps: int = 500) -> None:
    """Each step masks one word of every sentence."""
    torch = pytest.importorskip("torch")
    generator = torch.Generator().manual_seed(1)
    read = tokenizer(sentences, return_tensors="pt", padding=True, return_special_tokens_mask=True)
    ids, special = read["input_ids"], read["special_tokens_mask"].bool()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    model.train()
    for _ in range(steps):
        place = torch.rand(ids.shape, generator=generator).masked_fill(special, -1).argmax(1, keepdim=True)
        masked = ids.scatter(1, place, tokenizer.mask_token_id)
        labels = torch.full_like(ids, -100).scatter(1, place, ids.gather(1, place))
        loss = model(input_ids=masked, attention_mask=read["attention_mask"], labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()


def plain_loop(model: Any, tokenizer: Any, text: str) -> list[float]:
    """The same numbers in the simplest way: one masking at a time, all places projected."""
    torch = pytest.importorskip("torch")
    ids = tokenizer.encode(text)
    inside = range(1, len(ids) - 1)
    logprobs = []
    for place in inside:
        masked = [*ids[:place], tokenizer.mask_token_id, *ids[place + 1 :]]
        with torch.no_grad():
            logits = model(torch.tensor([masked])).logits[0, place]
        logprobs.append(float(torch.log_softmax(logits.double(), -1)[ids[place]]))
    return logprobs
