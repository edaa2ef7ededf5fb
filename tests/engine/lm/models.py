"""Small language models of each kind with random weights, in folders as transformers writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mtprobe.backends.device import Device, Dtype
from mtprobe.engine.build import llama_definition
from mtprobe.engine.checkpoints.causal.config import CausalConfig, read_causal_config
from mtprobe.engine.checkpoints.causal.llama import read_llama
from mtprobe.engine.checkpoints.huggingface.files import local_folder
from mtprobe.engine.runtime.causal_network import CausalNetwork

TEMPLATE = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
SPECIAL = ("<|end|>", "<|start|>", "<|system|>", "<|user|>", "<|assistant|>")
END, START = 0, 1
SENTENCES = [
    "The nurse finished her shift early.",
    "L'infirmière a terminé son service.",
    "Der Arzt hat die Krankenschwester gefragt.",
    "English French German Translate the following text from into Answer with translation only.",
    "one two three\nfour five six: seven",
]
_LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 50_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
VARIANTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "grouped queries": ("Llama", {}),
    "tied output": ("Llama", {"tie_word_embeddings": True, "num_key_value_heads": 6}),
    "biases": ("Llama", {"attention_bias": True, "mlp_bias": True}),
    "Llama 3 positions": ("Llama", {"rope_parameters": _LLAMA3}),
    "linear positions": (
        "Llama",
        {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e4, "factor": 4.0}},
    ),
    "sliding window": ("Mistral", {"sliding_window": 7, "head_dim": 16}),
    "biases of Qwen 2, some layers slide": (
        "Qwen2",
        {"use_sliding_window": True, "sliding_window": 6, "max_window_layers": 1},
    ),
    "norms of Qwen 3": ("Qwen3", {"head_dim": 16}),
    "one key head, wide heads": ("Llama", {"num_key_value_heads": 1, "head_dim": 24}),
    "some layers of SmolLM 3 without positions": ("SmolLM3", {"no_rope_layer_interval": 2}),
}
IN_TORCH: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "learned positions": ("GPT2", {"n_embd": 48, "n_layer": 3, "n_head": 6, "n_positions": 256}),
    "capped scores, some layers slide": ("Gemma2", {"head_dim": 16, "sliding_window": 7}),
    "experts": ("Mixtral", {"num_local_experts": 3, "num_experts_per_tok": 2}),
}


@dataclass(frozen=True)
class SmallLm:
    """Our network and torch's, with the same weights."""

    folder: Path
    torch_model: Any

    @cached_property
    def config(self) -> CausalConfig:
        config = read_causal_config(local_folder("small", self.folder))
        assert isinstance(config, CausalConfig)
        return config

    def network(self, dtype: Dtype = "fp32") -> CausalNetwork:
        definition = llama_definition(read_llama(local_folder("small", self.folder), self.config), dtype)
        return CausalNetwork(definition.dimensions, definition.graphs, Device("cpu"), 1)

    def logprobs(self, prompt: Sequence[int], target: Sequence[int]) -> np.ndarray:
        """Of the target's tokens, by torch."""
        import torch

        ids = torch.tensor([[*prompt, *target]])
        with torch.inference_mode():
            logprobs = self.torch_model(ids).logits.log_softmax(-1)[0]
        return logprobs[len(prompt) - 1 : -1].gather(1, ids[0, len(prompt) :, None])[:, 0].numpy()

    def generate(self, prompt: Sequence[int], limit: int, **settings: Any) -> tuple[int, ...]:
        import torch

        ids = torch.tensor([list(prompt)])
        with torch.inference_mode():
            (sequence,) = self.torch_model.generate(
                ids, attention_mask=torch.ones_like(ids), max_new_tokens=limit, do_sample=False, **settings
            )
        tokens = sequence[len(prompt) :].tolist()
        return tuple(tokens[: tokens.index(END)] if END in tokens else tokens)


def make(folder: Path, variant: str) -> SmallLm:
    """A model of this kind, in a folder with a tokenizer that has a chat template."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.set_num_threads(1)  # the models are too small for several threads
    family, settings = {**VARIANTS, **IN_TORCH}[variant]
    size = put_tokenizer(folder)
    sizes = {
        "hidden_size": 48,
        "intermediate_size": 80,
        "num_hidden_layers": 3,
        "num_attention_heads": 6,
        "num_key_value_heads": 2,
        "max_position_embeddings": 256,
    }
    config = getattr(transformers, f"{family}Config")(
        **{
            "vocab_size": size,
            "eos_token_id": END,
            "bos_token_id": START,
            "pad_token_id": END,
            **({} if family == "GPT2" else sizes),
            **settings,
        }
    )
    torch.manual_seed(3)
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for name, values in model.named_parameters():
            if values.ndim >= 2:
                values.normal_(0, 0.2)
            elif "bias" in name:
                values.normal_(0, 0.3)
            else:
                values.uniform_(0.5, 1.5)
    model.save_pretrained(folder)
    return SmallLm(folder, model)


def put_tokenizer(folder: Path, *, template: str | None = TEMPLATE) -> int:
    """Trains a byte-level tokenizer on a few sentences; returns the size of its vocabulary."""
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=360,
        special_tokens=list(SPECIAL),
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|end|>",
        "bos_token": "<|start|>",
    }
    if template is not None:
        settings["chat_template"] = template
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return int(tokenizer.get_vocab_size())
