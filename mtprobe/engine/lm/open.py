"""`lm:NAME_OR_PATH`: a decoder-only language model that translates by a prompt, and scores.

The model is a folder or a repository of Hugging Face, or a GGUF file. Options follow a question mark:
`lm:models/eurollm?prompt=prompts/formal.yaml&beams=4`. The Llama family (Llama, Mistral, Qwen, SmolLM, EuroLLM, Tower)
runs on ONNX Runtime; other models run in torch, and say so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mtprobe.backends.device import Device, Dtype, device_for, parse_device
from mtprobe.backends.protocols import Opened, OpenRequest, languages_from
from mtprobe.backends.registry import split_options
from mtprobe.backends.shared import Shared
from mtprobe.engine.checkpoints.causal.config import (
    CausalConfig,
    end_tokens,
    ignored_settings,
    is_causal,
    read_causal_config,
)
from mtprobe.engine.checkpoints.causal.gguf_folder import find_gguf, gguf_folder
from mtprobe.engine.checkpoints.huggingface.files import CONFIG, ModelFolder, resolve
from mtprobe.engine.checkpoints.reading import read_json
from mtprobe.engine.converted.cache import cache_folder
from mtprobe.engine.graphs.definition import CausalDimensions
from mtprobe.engine.lm.asking import Asking
from mtprobe.engine.lm.loaded import LoadedLm, OnnxLm
from mtprobe.engine.lm.model import LanguageModel, LmOrigin
from mtprobe.engine.lm.prompt import read_prompt
from mtprobe.engine.lm.spec import NO_PROMPT, OPTIONS, LmSpec, with_languages
from mtprobe.engine.lm.text_model import TextModel, language_of
from mtprobe.engine.neural import Tokens
from mtprobe.engine.runtime.installed import require_runtime
from mtprobe.engine.tokenizers.causal import CausalTokenizer, open_causal_tokenizer
from mtprobe.engine.tokenizers.chat import read_chat_template
from mtprobe.engine.tokenizers.special_tokens import named_tokens
from mtprobe.errors import ModelError
from mtprobe.progress import LOGGER

if TYPE_CHECKING:
    from mtprobe.engine.graphs.definition import NetworkDefinition, Origin
    from mtprobe.engine.runtime.causal_network import CausalNetwork

_NETWORKS: Shared[CausalNetwork] = Shared()
Loader: TypeAlias = Callable[[Tokens], LoadedLm]


def open_lm(rest: str, request: OpenRequest) -> Opened:
    name, options = split_options("lm", rest, OPTIONS)
    if not name:
        raise ModelError(
            "lm: needs a model, as in lm:HuggingFaceTB/SmolLM2-135M-Instruct or lm:models/mine.gguf"
        )
    spec = LmSpec.from_options(name, options)
    folder = find_folder(name, spec.revision)
    if not is_causal(folder):
        kind = read_json(folder.path / CONFIG).get("model_type")
        raise ModelError(
            f"lm:{name}: a {kind} model is not a decoder-only language model; if it translates, use hf:"
        )
    return open_folder(folder, spec, with_languages(request, options))


def find_folder(name: str, revision: str | None) -> ModelFolder:
    path = Path(name).expanduser()
    gguf = find_gguf(path)
    if gguf is None:
        return resolve(name, revision)
    if revision is not None:
        raise ModelError(f"{name}: a file has no revision; omit {revision}")
    return gguf_folder(name, gguf, cache_folder())


def open_folder(folder: ModelFolder, spec: LmSpec, request: OpenRequest) -> Opened:
    config = read_causal_config(folder)
    if isinstance(config, CausalConfig):
        require_runtime(f"lm:{spec.name}")
        weights = LmWeights(folder, config)
        return open_onnx_lm(folder, spec, request, weights)
    from mtprobe.engine.lm.torch_lm import TorchLm

    LOGGER.info("lm:%s runs in torch: %s", spec.name, config.reason)
    if request.dtype != "fp32":
        raise ModelError(
            f"lm:{folder.name} runs in torch ({config.reason}), which supports only the dtype fp32 here, "
            f"not {request.dtype}"
        )
    device = parse_device(request.device)
    origin = LmOrigin(folder, f"lm-torch:{folder.digest()[:12]}", ignored=ignored_settings(folder))
    return _opened(origin, spec, request, lambda _: TorchLm(folder, device, request.threads))


def open_onnx_lm(folder: ModelFolder, spec: LmSpec, request: OpenRequest, origin: Origin) -> Opened:
    """A model whose network comes from `origin`; the folder has its configuration and tokenizer."""
    device = device_for(request.dtype, parse_device(request.device))

    tokenizer = open_causal_tokenizer(folder, cache_folder())

    def load(beginning: Tokens) -> LoadedLm:
        return OnnxLm(_network(folder, origin, request.dtype, device, request.threads), tokenizer, beginning)

    kept = LmOrigin(folder, origin.fingerprint_prefix, origin, ignored_settings(folder))
    return _opened(kept, spec, request, load)


def _opened(origin: LmOrigin, spec: LmSpec, request: OpenRequest, load: Loader) -> Opened:
    folder = origin.folder
    tokenizer = open_causal_tokenizer(folder, cache_folder())
    template, ends = read_chat_template(folder), _ends(folder, tokenizer)
    if spec.prompt == NO_PROMPT:
        language, start = language_of(f"lm:{spec.name}", request), _start(folder, tokenizer, ends)
        return TextModel(tokenizer, start, language, request.dtype, origin.fingerprint_prefix, load)
    languages = languages_from(request, f"lm:{spec.name}")
    named = spec.prompt or ("plain" if template is None else "chat")
    prompt = read_prompt(f"lm:{spec.name}", named, spec.prompt_name)
    return LanguageModel(
        Asking(tokenizer, template, prompt, languages, ends), spec, request.dtype, origin, load
    )


def _ends(folder: ModelFolder, tokenizer: CausalTokenizer) -> tuple[int, ...]:
    """The tokens that end a text, by the model's configuration and by its tokenizer's."""
    named = tokenizer.id_of(named_tokens(folder).get("eos_token", ""))
    ends = end_tokens(folder)
    return ends if named is None or named in ends else (*ends, named)


def _start(folder: ModelFolder, tokenizer: CausalTokenizer, ends: tuple[int, ...]) -> int:
    """The token before a text: as the tokenizer adds it, or else as its files name it, or else the end of another."""
    named = tokenizer.id_of(named_tokens(folder).get("bos_token", ""))
    for start in (tokenizer.start, named, *ends):
        if start is not None:
            return start
    raise ModelError(f"lm:{folder.name}: its files name no token that starts or ends a text")


def _network(
    folder: ModelFolder, origin: Origin, dtype: Dtype, device: Device, threads: int | None
) -> CausalNetwork:
    """The network is the same for every prompt and every pair of languages."""
    from mtprobe.engine.runtime.causal_network import CausalNetwork

    def load() -> CausalNetwork:
        definition = origin.network(dtype)
        if not isinstance(definition.dimensions, CausalDimensions):
            raise ModelError(f"{folder.name}: not the network of a language model")
        return CausalNetwork(definition.dimensions, definition.graphs, device, threads)

    return _NETWORKS.get((origin.fingerprint_prefix, folder.path, dtype, device, threads), load)


@dataclass(frozen=True, slots=True)
class LmWeights:
    """The `Origin` of a model whose weights are converted."""

    folder: ModelFolder
    config: CausalConfig

    @property
    def fingerprint_prefix(self) -> str:
        return f"lm:{self.folder.digest()[:12]}"

    def network(self, dtype: Dtype) -> NetworkDefinition:
        from mtprobe.engine.converted.cache import cached

        key = f"lm {self.folder.digest()} {dtype}"
        return cached(key, f"lm:{self.folder.name}", lambda: self.build(dtype))

    def build(self, dtype: Dtype = "fp32") -> NetworkDefinition:
        """Converts the weights."""
        from mtprobe.engine.build import llama_definition
        from mtprobe.engine.checkpoints.causal.gguf_file import SUFFIX, GgufFile
        from mtprobe.engine.checkpoints.causal.llama import read_llama

        weights = self.folder.weights[0]
        if weights.suffix.lower() == SUFFIX:
            return llama_definition(GgufFile(weights).model(self.config), dtype)
        return llama_definition(read_llama(self.folder, self.config), dtype)
