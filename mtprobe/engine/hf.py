"""`hf:NAME_OR_PATH`: a Hugging Face model, which translates and scores.

The model is a folder, or a repository in the local cache of the hub or on the hub. Options follow a question mark:
`hf:Helsinki-NLP/opus-mt-en-de?revision=main&beams=1`. Marian, M2M100, NLLB-200 and mBART-50 run on ONNX Runtime;
other encoder–decoders run in torch, and say so. A decoder-only language model is opened as by `lm:`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mtprobe.backends.device import Dtype, device_for, parse_device
from mtprobe.backends.protocols import LanguagePair, Opened, OpenRequest
from mtprobe.backends.registry import SEARCH, SpecOptions, split_options
from mtprobe.engine.checkpoints.causal.config import is_causal
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig, read_config
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder, resolve
from mtprobe.engine.lm.open import find_folder, open_folder
from mtprobe.engine.lm.spec import OPTIONS as LM_OPTIONS
from mtprobe.engine.lm.spec import LmSpec, with_languages
from mtprobe.engine.neural import NeuralModel
from mtprobe.engine.runtime.installed import require_runtime
from mtprobe.engine.search.decoding import Decoding, beams_and_penalty, in_words
from mtprobe.engine.tokenizers.huggingface import UnsupportedTokenizer, languages_of, open_tokenizer
from mtprobe.errors import ModelError
from mtprobe.language import tags

if TYPE_CHECKING:
    from mtprobe.engine.engines import Engine
    from mtprobe.engine.graphs.definition import NetworkDefinition, Origin

OPTIONS = ("revision", *SEARCH, "prefix")
# By number format; to be raised with every change that may alter a translation or a score.
NUMBERS: Mapping[Dtype, str] = {"fp32": "v1", "fp16": "v1", "int8": "v2"}


@dataclass(frozen=True, slots=True)
class HfSpec:
    """The name of a model and the options that follow it."""

    name: str
    revision: str | None = None
    beams: int | None = None
    length_penalty: float | None = None
    max_length: int | None = None
    prefix: str = ""  # prepended to every source, for models that need an instruction, such as T5

    @property
    def with_own_search(self) -> HfSpec:
        """With the model's own search settings."""
        return replace(self, beams=None, length_penalty=None, max_length=None)

    @classmethod
    def from_options(cls, name: str, options: SpecOptions) -> HfSpec:
        beams, length_penalty = beams_and_penalty(options)
        return cls(
            name=name,
            revision=options.given.get("revision"),
            beams=beams,
            length_penalty=length_penalty,
            max_length=options.positive("max_length"),
            prefix=options.given.get("prefix", ""),
        )


def read_spec(rest: str) -> HfSpec:
    """Parses what follows `hf:`."""
    name, options = split_options("hf", rest, OPTIONS)
    if not name:
        raise ModelError("hf: needs a model, as in hf:Helsinki-NLP/opus-mt-en-de or hf:models/mine")
    return HfSpec.from_options(name, options)


def open_hf(rest: str, request: OpenRequest) -> Opened:
    name, options = split_options("hf", rest, (*OPTIONS, *LM_OPTIONS))
    if name and is_causal(folder := find_folder(name, options.given.get("revision"))):
        _, options = split_options("hf", rest, LM_OPTIONS)
        return open_folder(folder, LmSpec.from_options(name, options), with_languages(request, options))
    spec = read_spec(rest)
    folder = resolve(spec.name, spec.revision)
    config = read_config(folder)
    if isinstance(config, Seq2SeqConfig):
        require_runtime(f"hf:{spec.name}", extra="hf")
        try:
            return HfModel(folder, config, HfWeights(folder, config), spec, request)
        except UnsupportedTokenizer:
            pass  # transformers may support it
    from mtprobe.engine.torch_model import TorchModel

    return TorchModel(folder, spec, request)


class HfModel(NeuralModel):
    """A Hugging Face model that runs on ONNX Runtime."""

    def __init__(
        self,
        folder: ModelFolder,
        config: Seq2SeqConfig,
        origin: Origin,
        spec: HfSpec,
        request: OpenRequest,
    ) -> None:
        if spec.prefix:
            raise ModelError(f"hf:{folder.name}: prefix is for models that need an instruction, such as T5")
        self.languages = _languages(folder, config, request)
        self.origin, self.folder, self.config, self.spec = origin, folder, config, spec
        source, target = (
            None if tag == "und" else tag for tag in (self.languages.source, self.languages.target)
        )
        self._tokenizer = open_tokenizer(folder, config, source, target)
        self.ignores_target = getattr(self._tokenizer, "ignores_target", False)
        self._search = decoding_of(config, spec, len(self._tokenizer.prefix))
        self.dtype, self._threads = request.dtype, request.threads
        self._device = device_for(request.dtype, parse_device(request.device))
        self.decoding = _in_words(self._search, ignored_settings(config))
        own = decoding_of(config, spec.with_own_search, len(self._tokenizer.prefix))
        self.fingerprint, self.scoring_fingerprint = (
            f"{origin.fingerprint_prefix}:{self.languages}:{_in_short(search)}:{self.dtype}:{NUMBERS[self.dtype]}"
            for search in (self._search, own)
        )

    def length(self, text: str) -> int:
        return len(self._tokenizer.source_ids(text))

    def load(self) -> Engine:
        """The network is the same for every pair of languages."""
        from mtprobe.engine.engines import NETWORKS, HfEngine, open_network

        network = NETWORKS.get(
            (self.origin.fingerprint_prefix, self.folder.path, self.dtype, self._device, self._threads),
            lambda: open_network(self.origin.network(self.dtype), self._device, self._threads),
        )
        return HfEngine(network, self.config, self._tokenizer, self._search)


@dataclass(frozen=True, slots=True)
class HfWeights:
    """The `Origin` of a model whose weights are converted."""

    folder: ModelFolder
    config: Seq2SeqConfig

    @property
    def fingerprint_prefix(self) -> str:
        return f"hf:{self.folder.digest()[:12]}"

    def network(self, dtype: Dtype) -> NetworkDefinition:
        from mtprobe.engine.converted.cache import cached

        key = f"{self.folder.digest()} {dtype}"
        return cached(key, f"hf:{self.folder.name}", lambda: self.build(dtype))

    def build(self, dtype: Dtype = "fp32") -> NetworkDefinition:
        """Converts the weights."""
        from mtprobe.engine.build import transformer_definition
        from mtprobe.engine.checkpoints.huggingface.families import read_model

        return transformer_definition(read_model(self.folder, self.config), dtype)


def decoding_of(config: Seq2SeqConfig, spec: HfSpec, prefix: int) -> Decoding:
    """The settings that `generate` would use, except for those in the spec."""
    own = config.generation
    longest = spec.max_length or own.max_length or config.max_position_embeddings
    return Decoding(
        ends=(config.eos_token_id,),
        max_length=min(longest, config.max_position_embeddings),
        max_new_tokens=None if spec.max_length else own.max_new_tokens,
        beams=spec.beams or own.num_beams,
        length_penalty=own.length_penalty if spec.length_penalty is None else spec.length_penalty,
        early_stopping=own.early_stopping,
        forced_end=own.forced_eos_token_id,
        forced_prefix=prefix - 1,
        suppressed=tuple(words[0] for words in own.bad_words_ids if len(words) == 1),
    )


def _languages(folder: ModelFolder, config: Seq2SeqConfig, request: OpenRequest) -> LanguagePair:
    source, target = languages_of(folder, config)
    for requested, actual, way in ((request.source, source, "from"), (request.target, target, "into")):
        if requested and actual and not tags.fits(requested, actual):
            raise ModelError(f"{folder.name}: the model translates {way} {actual}, not {requested}")
    into = request.target or target
    if into is None:
        raise ModelError(
            f"{folder.name} does not say which language it translates into: give the target language"
        )
    return LanguagePair(request.source or source or "und", into)


def ignored_settings(config: Seq2SeqConfig) -> tuple[str, ...]:
    """The model's own settings that change what `generate` returns and that our search does not support."""
    own = config.generation
    phrases = ("bad_words_ids of several tokens",) * any(len(words) > 1 for words in own.bad_words_ids)
    return (*own.other_settings, *phrases, *("renormalize_logits",) * own.renormalize_logits)


def _in_words(search: Decoding, ignored: tuple[str, ...]) -> str:
    longest = search.max_new_tokens or search.max_length or 0
    without = f", without the model's {', '.join(ignored)}" if ignored else ""
    return in_words(search.beams, search.length_penalty, longest) + without


def _in_short(search: Decoding) -> str:
    longest = f"new={search.max_new_tokens}" if search.max_new_tokens else f"max={search.max_length}"
    return f"beam={search.beams}:lp={search.length_penalty:g}:{longest}"
