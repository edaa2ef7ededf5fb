"""The configuration of a decoder-only language model: what its graphs need, from its config.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mtprobe.engine.checkpoints.causal.rope import Rope, read_rope
from mtprobe.engine.checkpoints.huggingface.config import OTHER_SETTINGS, Fields
from mtprobe.engine.checkpoints.huggingface.files import CONFIG, GENERATION_CONFIG, ModelFolder
from mtprobe.engine.checkpoints.reading import MOST_LAYERS, read_json, read_optional_json, shown_value
from mtprobe.errors import ModelError

ADAPTER = "adapter_config.json"
MOST_TOKENS = 10_000_000  # of a vocabulary
MOST_POSITIONS = 1 << 24
MOST_WIDTH = 65_536

# The members of the Llama family that we have graphs for; the defaults of transformers for fields that files omit.
FAMILY: Mapping[str, Mapping[str, Any]] = {
    "llama": {"max_position_embeddings": 2048},
    "mistral": {"max_position_embeddings": 131_072, "num_key_value_heads": 8, "sliding_window": 4096},
    "qwen2": {"max_position_embeddings": 32_768, "num_key_value_heads": 32},
    "qwen3": {"max_position_embeddings": 32_768, "num_key_value_heads": 32, "head_dim": 128},
    "smollm3": {"max_position_embeddings": 32_768, "num_key_value_heads": 4, "rope_theta": 2_000_000.0},
}
# Settings of `generate` that we do not apply, each with the value that has no effect.
SEARCH_SETTINGS: Mapping[str, Any] = {
    **OTHER_SETTINGS,
    "bad_words_ids": None,
    "forced_bos_token_id": None,
    "forced_eos_token_id": None,
}
_SLIDING, _FULL = "sliding_attention", "full_attention"
_ATTENTION = tuple(f"self_attn.{name}_proj" for name in "qkvo")
_FEED_FORWARD = tuple(f"mlp.{name}_proj" for name in ("gate", "up", "down"))


@dataclass(frozen=True, slots=True)
class CausalConfig:
    """A language model that we can build graphs for."""

    model_type: str
    width: int
    layers: int
    heads: int
    key_heads: int
    head_width: int
    inner: int  # width of the feed-forward layers
    vocabulary: int
    longest: int  # maximum tokens of a text
    epsilon: float
    rope: Rope
    tied: bool
    window: int | None = None
    sliding: tuple[bool, ...] = ()  # of each layer, whether it attends to the latest `window` tokens only
    biased: tuple[str, ...] = ()  # the projections of a layer that add a bias
    unrotated: tuple[int, ...] = ()  # the layers that do not see positions

    def __post_init__(self) -> None:
        if self.heads % self.key_heads:
            raise ModelError(f"{self.heads} attention heads cannot share the keys of {self.key_heads}")
        if self.head_width % 2:
            raise ModelError(f"heads of width {self.head_width} cannot be rotated: it must be even")


@dataclass(frozen=True, slots=True)
class NoGraphs:
    """A language model that only torch can run."""

    model_type: str
    reason: str


def is_causal(folder: ModelFolder) -> bool:
    """Whether a folder holds a decoder-only language model, as its config.json says."""
    content = read_json(folder.path / CONFIG)
    names = content.get("architectures")
    if isinstance(names, list) and names:
        return any(isinstance(name, str) and name.endswith(("ForCausalLM", "LMHeadModel")) for name in names)
    return content.get("model_type") in FAMILY


def read_causal_config(folder: ModelFolder) -> CausalConfig | NoGraphs:
    """Raises `ModelError`, naming file and field, for a damaged file or an invalid value."""
    path = folder.path / CONFIG
    content = read_json(path)
    fields = Fields(path, content)
    model_type = fields.text("model_type")
    if isinstance(quantised := content.get("quantization_config"), dict):
        method = shown_value(quantised.get("quant_method", "an unnamed method"))
        raise ModelError(
            f"{path}: the weights are quantised by {method}, which is not supported; use the original weights "
            "(dtype=int8 quantises them here) or a GGUF file"
        )
    if (adapter := folder.path / ADAPTER).is_file():
        raise ModelError(f"{adapter}: adapters are not supported: merge it into the weights first")
    if model_type not in FAMILY:
        return NoGraphs(model_type, f"there are no graphs for {model_type} models")
    if (activation := fields.text("hidden_act", "silu")) != "silu":
        return NoGraphs(model_type, f"there are no graphs for the activation {activation}")
    width = fields.integer("hidden_size", low=4, high=MOST_WIDTH)
    heads = fields.integer("num_attention_heads", low=1, high=width)
    defaults = FAMILY[model_type]
    head_width = fields.integer(
        "head_dim", low=1, high=MOST_WIDTH, default=defaults.get("head_dim", width // heads)
    )
    longest = fields.integer(
        "max_position_embeddings", low=1, high=MOST_POSITIONS, default=defaults["max_position_embeddings"]
    )
    rope = read_rope(fields, {**defaults, **content}, longest)
    if isinstance(rope, str):
        return NoGraphs(model_type, rope)
    layers = fields.integer("num_hidden_layers", low=1, high=MOST_LAYERS)
    if reason := _other_windows(content, model_type):
        return NoGraphs(model_type, reason)
    window, sliding = _windows(fields, content, model_type, layers)
    key_heads = fields.integer(
        "num_key_value_heads",
        low=1,
        high=heads,
        default=min(heads, defaults.get("num_key_value_heads", heads)),
    )
    if heads % key_heads:
        fields.refuse("num_key_value_heads", f"{key_heads} does not divide the {heads} attention heads")
    if head_width % 2:
        fields.refuse("head_dim", f"{head_width} is odd, so heads cannot be rotated")
    return CausalConfig(
        model_type=model_type,
        width=width,
        layers=layers,
        heads=heads,
        key_heads=key_heads,
        head_width=head_width,
        inner=fields.integer("intermediate_size", low=1, high=1_000_000),
        vocabulary=fields.integer("vocab_size", low=1, high=MOST_TOKENS),
        longest=longest,
        epsilon=fields.number("rms_norm_eps", 1e-6),
        rope=rope,
        tied=fields.flag("tie_word_embeddings", model_type == "smollm3"),
        window=window,
        sliding=sliding,
        biased=_biased(fields, model_type),
        unrotated=_unrotated(fields, content, layers) if model_type == "smollm3" else (),
    )


def _unrotated(fields: Fields, content: Mapping[str, Any], layers: int) -> tuple[int, ...]:
    rotates = content.get("no_rope_layers")
    if rotates is None:
        step = fields.integer("no_rope_layer_interval", low=1, high=MOST_LAYERS, default=4)
        return tuple(range(step - 1, layers, step))
    if not isinstance(rotates, list) or len(rotates) < layers or not {*map(str, rotates)} <= {"0", "1"}:
        fields.refuse("no_rope_layers", f"should be a list with 1 or 0 for each of {layers} layers")
    return tuple(layer for layer in range(layers) if not rotates[layer])


def _biased(fields: Fields, model_type: str) -> tuple[str, ...]:
    if model_type == "mistral":
        return ()
    if model_type == "qwen2":
        return _ATTENTION[:3]
    attention = _ATTENTION if fields.flag("attention_bias", False) else ()
    has_bias = model_type in ("llama", "smollm3") and fields.flag("mlp_bias", False)
    return (*attention, *(_FEED_FORWARD if has_bias else ()))


def _other_windows(content: Mapping[str, Any], model_type: str) -> str | None:
    """Why the graphs would not attend as the file of a model other than Qwen says."""
    kinds = content.get("layer_types") or []
    slides = content.get("use_sliding_window", model_type == "llama")
    if model_type in ("llama", "smollm3") and content.get("sliding_window") and slides:
        return f"there are no graphs for {model_type} models with a sliding window"
    if model_type in ("llama", "mistral", "smollm3") and kinds:
        expected = _SLIDING if model_type == "mistral" and content.get("sliding_window") else _FULL
        if any(kind != expected for kind in kinds):
            return f"there are no graphs for {model_type} models with `layer_types`"
    return None


def _windows(
    fields: Fields, content: Mapping[str, Any], model_type: str, layers: int
) -> tuple[int | None, tuple[bool, ...]]:
    """The sliding window, and which layers have it."""
    none = (False,) * layers
    if model_type in ("llama", "smollm3"):
        return None, none
    if model_type != "mistral" and not fields.flag("use_sliding_window", False):
        return None, none
    default = FAMILY[model_type].get("sliding_window", 4096)
    if "sliding_window" in content and content["sliding_window"] is None:
        return None, none
    window = fields.integer("sliding_window", low=1, high=MOST_POSITIONS, default=default)
    if model_type == "mistral":
        return window, (True,) * layers
    kinds = content.get("layer_types")
    if kinds is None:
        first = fields.integer("max_window_layers", low=0, high=MOST_LAYERS, default=28)
        return window, tuple(layer >= first for layer in range(layers))
    if not isinstance(kinds, list) or len(kinds) != layers or not {*map(str, kinds)} <= {_SLIDING, _FULL}:
        fields.refuse("layer_types", f"should be a list of {layers} of {_FULL} and {_SLIDING}")
    return window, tuple(kind == _SLIDING for kind in kinds)


def ignored_settings(folder: ModelFolder) -> tuple[str, ...]:
    """The settings of generation_config.json that change a greedy answer of transformers, and that we do not apply."""
    content = read_optional_json(folder.file(GENERATION_CONFIG) or folder.file(CONFIG))
    return tuple(
        name
        for name, no_effect in SEARCH_SETTINGS.items()
        if content.get(name) not in (None, no_effect, [], {}) and name != "do_sample"
    )


def end_tokens(folder: ModelFolder) -> tuple[int, ...]:
    """The tokens that end a text, by generation_config.json or else config.json; maybe none."""
    for name in (GENERATION_CONFIG, CONFIG):
        path = folder.file(name)
        ends = read_optional_json(path).get("eos_token_id")
        if ends is None:
            continue
        listed = ends if isinstance(ends, list) else [ends]
        if not all(type(end) is int and 0 <= end < MOST_TOKENS for end in listed):
            raise ModelError(f'{path}: "eos_token_id": {shown_value(ends)} is not a token')
        return tuple(dict.fromkeys(listed))
    return ()
