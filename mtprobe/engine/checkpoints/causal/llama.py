"""Models of the Llama family, from weights in the layout of transformers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.causal.config import CausalConfig
from mtprobe.engine.checkpoints.huggingface.bart import CheckedWeights
from mtprobe.engine.checkpoints.huggingface.files import CONFIG, ModelFolder
from mtprobe.engine.checkpoints.huggingface.weights import read_tensors
from mtprobe.engine.graphs.llama import GatedFeedForward, LlamaAttention, LlamaLayer, LlamaModel
from mtprobe.engine.graphs.weights import Linear, Tensor
from mtprobe.errors import ModelError

_IN_LAYER = re.compile(r"model\.layers\.(\d{1,6})\.(.+)")
_WEIGHTS = frozenset(
    {
        *(f"self_attn.{name}_proj.weight" for name in "qkvo"),
        *(f"mlp.{name}_proj.weight" for name in ("gate", "up", "down")),
        *("input_layernorm.weight", "post_attention_layernorm.weight"),
    }
)
_HEAD_NORMS = frozenset({"self_attn.q_norm.weight", "self_attn.k_norm.weight"})
EMBEDDING, OUTPUT, NORM = "model.embed_tokens.weight", "lm_head.weight", "model.norm.weight"


def read_llama(folder: ModelFolder, config: CausalConfig) -> LlamaModel:
    """Raises `ModelError` if the weights are damaged or do not fit the configuration."""
    tensors, where = read_tensors(folder), str(folder.weights[0])
    _check_names(config, tensors, where)
    return llama_model(config, tensors, where)


def _check_names(config: CausalConfig, tensors: Iterable[str], where: str) -> None:
    """Raises `ModelError` if a layer has other weights than its configuration says: the numbers would be others."""
    biases = {f"{name}.bias" for name in config.biased}
    known = {*_WEIGHTS, *biases, *(_HEAD_NORMS if config.model_type == "qwen3" else ())}
    found: set[tuple[int, str]] = set()
    for name in tensors:
        match = _IN_LAYER.fullmatch(name)
        if match is None or int(match[1]) >= config.layers or name.endswith(".inv_freq"):
            continue
        if match[2] not in known:
            raise ModelError(
                f'{where}: the tensor "{name}" is not part of the {config.model_type} model that {CONFIG} describes'
            )
        found.add((int(match[1]), match[2]))
    for layer, bias in product(range(config.layers), sorted(biases)):
        if (layer, bias) not in found:
            raise ModelError(f'{where}: the tensor "model.layers.{layer}.{bias}" is missing')


def llama_model(
    config: CausalConfig,
    tensors: Mapping[str, npt.NDArray[np.generic]],
    where: str = "the model",
    rates: Tensor | None = None,
) -> LlamaModel:
    """Raises `ModelError`, starting with `where`, if a weight is missing or does not fit.

    `rates` are given where the weights say them, and not the configuration.
    """
    weights = CheckedWeights(tensors, where)
    table = weights.tensor(EMBEDDING, config.vocabulary, config.width)
    output = table
    if not config.tied or OUTPUT in weights:  # like transformers, believes weights rather than "tied"
        output = weights.tensor(OUTPUT, config.vocabulary, config.width)
        output = table if config.tied and np.array_equal(output, table) else output
    return LlamaModel(
        embedding=table,
        layers=tuple(_layer(config, weights, number) for number in range(config.layers)),
        norm=weights.tensor(NORM, config.width),
        output=Linear(output, None),
        heads=config.heads,
        key_heads=config.key_heads,
        head_width=config.head_width,
        epsilon=config.epsilon,
        rates=config.rope.rates(config.head_width) if rates is None else rates,
        longest=config.longest,
        window=config.window,
    )


def _layer(config: CausalConfig, weights: CheckedWeights, number: int) -> LlamaLayer:
    layer, width, inner = f"model.layers.{number}", config.width, config.inner
    queries, keys = config.heads * config.head_width, config.key_heads * config.head_width

    def head_norm(name: str) -> Tensor | None:
        name = f"{layer}.self_attn.{name}.weight"
        if config.model_type != "qwen3" and name not in weights:
            return None
        return weights.tensor(name, config.head_width)

    return LlamaLayer(
        LlamaAttention(
            query=weights.linear(f"{layer}.self_attn.q_proj", width, queries),
            key=weights.linear(f"{layer}.self_attn.k_proj", width, keys),
            value=weights.linear(f"{layer}.self_attn.v_proj", width, keys),
            output=weights.linear(f"{layer}.self_attn.o_proj", queries, width),
            norm=weights.tensor(f"{layer}.input_layernorm.weight", width),
            query_norm=head_norm("q_norm"),
            key_norm=head_norm("k_norm"),
            slides=bool(config.sliding) and config.sliding[number],
            rotates=number not in config.unrotated,
        ),
        GatedFeedForward(
            gate=weights.linear(f"{layer}.mlp.gate_proj", width, inner),
            inner=weights.linear(f"{layer}.mlp.up_proj", width, inner),
            outer=weights.linear(f"{layer}.mlp.down_proj", inner, width),
            norm=weights.tensor(f"{layer}.post_attention_layernorm.weight", width),
        ),
    )
