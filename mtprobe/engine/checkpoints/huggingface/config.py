"""Reads and validates a model's config.json and generation_config.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias, cast, get_args

from mtprobe.engine.checkpoints.huggingface.files import CONFIG, GENERATION_CONFIG, ModelFolder
from mtprobe.engine.checkpoints.reading import MOST_LAYERS, read_json, shown_value
from mtprobe.errors import ModelError

ModelType: TypeAlias = Literal["marian", "m2m_100", "mbart"]

_MOST_TOKENS = 10_000_000  # of a vocabulary, and of any other number of tokens
_LARGEST_PENALTY = 100
_MOST_BEAMS = 100  # that a file may ask for; a user may ask for more
_MOST_POSITIONS = 16_384  # tokens of a sentence; some tables of positions are computed, not read


# The defaults of transformers for fields that config.json omits.
_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "marian": {"activation_function": "gelu", "eos_token_id": 0, "pad_token_id": 58100},
    "m2m_100": {"activation_function": "relu", "eos_token_id": 2, "pad_token_id": 1, "scale_embedding": True},
    "mbart": {"activation_function": "gelu", "eos_token_id": 2, "pad_token_id": 1},
}
# Settings of generation_config.json that change translations and are not fields of `Generation`,
# each with the value that has no effect.
OTHER_SETTINGS: Mapping[str, Any] = {
    "do_sample": False,
    "min_length": 0,
    "min_new_tokens": None,
    "no_repeat_ngram_size": 0,
    "encoder_no_repeat_ngram_size": 0,
    "repetition_penalty": 1.0,
    "encoder_repetition_penalty": 1.0,
    "num_beam_groups": 1,
    "diversity_penalty": 0.0,
    "exponential_decay_length_penalty": None,
    "suppress_tokens": None,
    "begin_suppress_tokens": None,
    "sequence_bias": None,
    "constraints": None,
    "force_words_ids": None,
    "penalty_alpha": None,
    "guidance_scale": None,
}


@dataclass(frozen=True, slots=True)
class Generation:
    """The model's default search settings."""

    num_beams: int = 1
    length_penalty: float = 1.0
    early_stopping: bool | Literal["never"] = False
    max_length: int | None = None
    """Maximum tokens of an output, the decoder's start included; None if the files do not say."""
    max_new_tokens: int | None = None
    bad_words_ids: tuple[tuple[int, ...], ...] = ()
    forced_bos_token_id: int | None = None
    forced_eos_token_id: int | None = None
    renormalize_logits: bool = False
    other_settings: tuple[str, ...] = ()
    """Names of other settings that change what transformers generates, such as `no_repeat_ngram_size`."""


@dataclass(frozen=True, slots=True)
class Seq2SeqConfig:
    """An encoder-decoder model that we can build graphs for. Fields are named as in config.json."""

    model_type: ModelType
    d_model: int
    encoder_layers: int
    decoder_layers: int
    encoder_attention_heads: int
    decoder_attention_heads: int
    encoder_ffn_dim: int
    decoder_ffn_dim: int
    activation_function: str
    scale_embedding: bool
    """Whether embeddings are multiplied by the square root of `d_model`."""
    max_position_embeddings: int
    vocab_size: int
    decoder_vocab_size: int
    share_encoder_decoder_embeddings: bool
    tie_word_embeddings: bool
    pad_token_id: int
    eos_token_id: int
    bos_token_id: int | None
    decoder_start_token_id: int
    generation: Generation
    tokenizer_class: str | None = None


@dataclass(frozen=True, slots=True)
class UnknownArchitecture:
    """A model that we have no graphs for; transformers may support it."""

    model_type: str


def read_config(folder: ModelFolder) -> Seq2SeqConfig | UnknownArchitecture:
    """Raises `ModelError`, naming file and field, for a damaged file or an invalid value."""
    path = folder.path / CONFIG
    fields = Fields(path, read_json(path))
    model_type = fields.text("model_type")
    if model_type not in get_args(ModelType):
        return UnknownArchitecture(model_type)
    generation_path = folder.file(GENERATION_CONFIG)
    # Like transformers, takes the settings from config.json if there is no generation_config.json.
    generation = fields if generation_path is None else Fields(generation_path, read_json(generation_path))
    return _seq2seq(cast(ModelType, model_type), fields, generation)


def _seq2seq(model_type: ModelType, fields: Fields, generation: Fields) -> Seq2SeqConfig:
    defaults = _DEFAULTS[model_type]
    width = fields.integer("d_model", low=4, high=65_536)
    heads = {}
    for name in ("encoder_attention_heads", "decoder_attention_heads"):
        heads[name] = fields.integer(name, low=1, high=width)
        if width % heads[name]:
            fields.refuse(name, f"{heads[name]} heads do not divide the width of {width} (d_model)")
    vocabulary = fields.integer("vocab_size", low=1, high=_MOST_TOKENS)
    shared = fields.flag("share_encoder_decoder_embeddings", True)
    if model_type != "marian":  # the others have no such option
        shared = True
    targets = fields.integer("decoder_vocab_size", low=1, high=_MOST_TOKENS, default=vocabulary)
    if shared:
        targets = vocabulary
    end = fields.token("eos_token_id", vocabulary, defaults["eos_token_id"])
    pad = fields.token("pad_token_id", vocabulary, defaults["pad_token_id"])
    return Seq2SeqConfig(
        model_type=model_type,
        d_model=width,
        encoder_layers=fields.integer("encoder_layers", low=1, high=MOST_LAYERS),
        decoder_layers=fields.integer("decoder_layers", low=1, high=MOST_LAYERS),
        encoder_ffn_dim=fields.integer("encoder_ffn_dim", low=1, high=1_000_000),
        decoder_ffn_dim=fields.integer("decoder_ffn_dim", low=1, high=1_000_000),
        **heads,
        activation_function=fields.text("activation_function", defaults["activation_function"]),
        scale_embedding=fields.flag("scale_embedding", defaults.get("scale_embedding", False)),
        max_position_embeddings=fields.integer(
            "max_position_embeddings", low=1, high=_MOST_POSITIONS, default=1024
        ),
        vocab_size=vocabulary,
        decoder_vocab_size=targets,
        share_encoder_decoder_embeddings=shared,
        tie_word_embeddings=fields.flag("tie_word_embeddings", True),
        pad_token_id=pad,
        eos_token_id=end,
        bos_token_id=fields.token_or_none("bos_token_id", vocabulary),
        decoder_start_token_id=_start(model_type, fields, generation, targets, pad, end),
        generation=_generation(generation, targets),
        tokenizer_class=fields.text("tokenizer_class", "") or None,
    )


def _start(
    model_type: ModelType, fields: Fields, generation: Fields, targets: int, pad: int, end: int
) -> int:
    """The decoder's start token: by default padding in Marian, EOS in the others."""
    for file in (generation, fields):
        start = file.token_or_none("decoder_start_token_id", targets)
        if start is not None:
            return start
    return pad if model_type == "marian" else end


def _generation(fields: Fields, targets: int) -> Generation:
    early_stopping = fields.get("early_stopping", False)
    if early_stopping != "never":
        early_stopping = fields.flag("early_stopping", False)
    other_settings = [
        name
        for name, no_effect in OTHER_SETTINGS.items()
        if fields.get(name, no_effect) not in (no_effect, [], {})
    ]
    return Generation(
        num_beams=fields.integer("num_beams", low=1, high=_MOST_BEAMS, default=1),
        length_penalty=fields.number("length_penalty", 1.0),
        early_stopping=early_stopping,
        max_length=fields.integer_or_none("max_length", low=1, high=_MOST_TOKENS),
        max_new_tokens=fields.integer_or_none("max_new_tokens", low=1, high=_MOST_TOKENS),
        bad_words_ids=fields.token_lists("bad_words_ids", targets),
        forced_bos_token_id=fields.token_or_none("forced_bos_token_id", targets),
        forced_eos_token_id=fields.token_or_none("forced_eos_token_id", targets),
        renormalize_logits=fields.flag("renormalize_logits", False),
        other_settings=tuple(other_settings),
    )


class Fields:
    """The fields of one file. `null` counts as absent; each getter refuses invalid values."""

    def __init__(self, path: Path, values: Mapping[str, Any]) -> None:
        self._path, self._values = path, values

    def refuse(self, name: str, reason: str) -> NoReturn:
        raise ModelError(f'{self._path}: "{name}": {reason}')

    def get(self, name: str, default: object = None) -> Any:
        value = self._values.get(name)
        return default if value is None else value

    def text(self, name: str, default: str | None = None) -> str:
        value = self.get(name, default)
        if value is None:
            self.refuse(name, "the field is missing")
        if not isinstance(value, str):
            self.refuse(name, f"{shown_value(value)} is not a string")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.get(name, default)
        if not isinstance(value, bool):
            self.refuse(name, f"{shown_value(value)} is neither true nor false")
        return value

    def number(self, name: str, default: float) -> float:
        value = self.get(name, default)
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not abs(value) <= _LARGEST_PENALTY
        ):
            self.refuse(
                name,
                f"{shown_value(value)} is not a number between -{_LARGEST_PENALTY} and {_LARGEST_PENALTY}",
            )
        return float(value)

    def integer(self, name: str, *, low: int, high: int, default: int | None = None) -> int:
        value = self.get(name, default)
        if value is None:
            self.refuse(name, "the field is missing")
        return self._in_range(name, value, low, high)

    def integer_or_none(self, name: str, *, low: int, high: int) -> int | None:
        value = self.get(name)
        return None if value is None else self._in_range(name, value, low, high)

    def token(self, name: str, vocabulary: int, default: int) -> int:
        token = self.token_or_none(name, vocabulary)
        return self._in_range(name, default, 0, vocabulary - 1) if token is None else token

    def token_or_none(self, name: str, vocabulary: int) -> int | None:
        value = self.get(name)
        if isinstance(value, list):
            if len(value) != 1:
                self.refuse(name, f"{shown_value(value)}: exactly one token is supported")
            value = value[0]
        return None if value is None else self._in_range(name, value, 0, vocabulary - 1)

    def token_lists(self, name: str, vocabulary: int) -> tuple[tuple[int, ...], ...]:
        value = self.get(name, [])
        if not isinstance(value, list) or not all(isinstance(tokens, list) and tokens for tokens in value):
            self.refuse(name, f"{shown_value(value)} is not a list of lists of tokens")
        return tuple(
            tuple(self._in_range(name, token, 0, vocabulary - 1) for token in tokens) for tokens in value
        )

    def _in_range(self, name: str, value: object, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            self.refuse(name, f"{shown_value(value)} is not a whole number")
        if not low <= value <= high:
            self.refuse(name, f"{shown_value(value)} is not between {low} and {high}")
        return value
