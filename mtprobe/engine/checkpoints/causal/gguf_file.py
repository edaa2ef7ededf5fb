"""GGUF files: one file with the weights of a language model, often quantised, its sizes and its tokenizer.

The package `gguf` reads them. Weights are dequantised to single precision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mtprobe.engine.checkpoints.causal.config import CausalConfig
from mtprobe.engine.checkpoints.causal.llama import llama_model
from mtprobe.engine.checkpoints.reading import library_errors, open_file, reason_of, what_it_is_instead
from mtprobe.engine.graphs.llama import LlamaModel
from mtprobe.engine.graphs.weights import Tensor
from mtprobe.errors import ModelError

MAGIC = b"GGUF"
SUFFIX = ".gguf"
_ROPE_FACTORS = "rope_freqs.weight"  # Llama 3's scaling of positions, as divisors
_INTERLEAVED = ("llama", "smollm3")  # models whose rows of queries and keys llama.cpp orders by pairs
_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
}
_LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def check_gguf(path: Path) -> None:
    """Raises `ModelError` if a file does not begin like a GGUF file; reads nothing else."""
    with open_file(path) as file:
        start = file.read(64)
    if not start.startswith(MAGIC):
        raise ModelError(f"{path}: not a GGUF file{what_it_is_instead(start)}")


@dataclass(frozen=True)
class GgufFile:
    path: Path

    @cached_property
    def _reader(self) -> Any:
        check_gguf(self.path)
        try:
            from gguf import GGUFReader
        except ImportError:
            raise ModelError(f'{self.path}: GGUF files need: pip install "mtprobe[gguf]"') from None
        try:
            return GGUFReader(self.path)
        except Exception as error:  # of numpy and of the package
            raise ModelError(
                f"{self.path}: not a usable GGUF file: {reason_of(error)}; is it truncated?"
            ) from None

    def value(self, name: str) -> Any:
        """A field of the header, or None."""
        field = self._reader.get_field(name)
        if field is None:
            return None
        with library_errors(f"{self.path}: not a usable GGUF file"):
            return field.contents()

    @property
    def architecture(self) -> str:
        return str(self.value("general.architecture"))

    def settings(self) -> dict[str, Any]:
        """The settings as in a transformers config.json."""
        kind = self.architecture

        def own(name: str) -> Any:
            return self.value(f"{kind}.{name}")

        settings = {
            "architectures": [f"{kind.capitalize()}ForCausalLM"],
            "model_type": kind,
            "hidden_size": own("embedding_length"),
            "num_hidden_layers": own("block_count"),
            "num_attention_heads": own("attention.head_count"),
            "num_key_value_heads": own("attention.head_count_kv") or own("attention.head_count"),
            "head_dim": own("attention.key_length"),
            "intermediate_size": own("feed_forward_length"),
            "max_position_embeddings": own("context_length"),
            "rms_norm_eps": own("attention.layer_norm_rms_epsilon"),
            "vocab_size": own("vocab_size") or self._vocabulary_size(),
            "rope_parameters": {
                "rope_theta": own("rope.freq_base") or 10_000.0,
                **self._scaling(own("rope.scaling.type"), own("rope.scaling.factor")),
            },
            "tie_word_embeddings": not any(tensor.name == "output.weight" for tensor in self._reader.tensors),
            "eos_token_id": self.value("tokenizer.ggml.eos_token_id"),
            "bos_token_id": self.value("tokenizer.ggml.bos_token_id"),
        }
        return {name: value for name, value in settings.items() if value is not None}

    def ends(self, of_text: int | None) -> list[int]:
        """The tokens that end an answer: the end of a turn may be another one than the end of a text."""
        ends = (self.value("tokenizer.ggml.eot_token_id"), of_text)
        return list(dict.fromkeys(int(end) for end in ends if end is not None))

    def _scaling(self, kind: object, factor: object) -> Mapping[str, Any]:
        if kind in (None, "none"):
            return {}
        return {"rope_type": str(kind), "factor": factor}

    def _vocabulary_size(self) -> int | None:
        tokens = self._reader.get_field("tokenizer.ggml.tokens")
        return None if tokens is None else len(tokens.data)

    def model(self, config: CausalConfig) -> LlamaModel:
        """Raises `ModelError` if the weights do not fit, or are quantised in a way that is not supported."""
        tensors: dict[str, Tensor] = {}
        for tensor in self._reader.tensors:
            name = _name(tensor.name)
            values = self._dequantised(tensor)
            if config.model_type in _INTERLEAVED and ".attn_q." in tensor.name:
                values = _with_halves(values, config.heads)
            elif config.model_type in _INTERLEAVED and ".attn_k." in tensor.name:
                values = _with_halves(values, config.key_heads)
            tensors[name] = values
        factors = tensors.get(_ROPE_FACTORS)
        rates = None if factors is None else config.rope.rates(config.head_width) / factors.reshape(-1)
        return llama_model(config, tensors, str(self.path), rates)

    def _dequantised(self, tensor: Any) -> Tensor:
        from gguf import dequantize

        try:
            return np.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type), np.float32)
        except NotImplementedError:
            raise ModelError(
                f"{self.path}: the tensor {tensor.name} is quantised as {tensor.tensor_type.name}, which is not "
                "supported; use a file in F16, BF16, Q8_0, or one of Q4_0 to Q6_K"
            ) from None
        except Exception as error:
            raise ModelError(f"{self.path}: the tensor {tensor.name}: {reason_of(error)}") from None


def _name(name: str) -> str:
    """The name of a tensor in transformers."""
    stem, _, kind = name.rpartition(".")
    parts = stem.split(".")
    if parts[0] == "blk" and len(parts) == 3 and parts[2] in _LAYER_NAMES:
        return f"model.layers.{parts[1]}.{_LAYER_NAMES[parts[2]]}.{kind}"
    return f"{_NAMES[stem]}.{kind}" if stem in _NAMES else name


def _with_halves(values: Tensor, heads: int) -> Tensor:
    """llama.cpp rotates neighbours, transformers the two halves of a head: the rows are put back in order."""
    if len(values) % (2 * heads):
        raise ModelError(f"{len(values)} rows of queries or keys do not fit {heads} heads")
    pairs = values.reshape(heads, len(values) // heads // 2, 2, *values.shape[1:])
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(values.shape))
