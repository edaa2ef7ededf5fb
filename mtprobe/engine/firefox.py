"""`firefox:FOLDER`: a Firefox Translations (Bergamot) model, which translates and scores.

Options follow a question mark: `firefox:models/enpt?beams=4`. Opening a model only checks its files; ONNX Runtime,
the weights and the vocabularies are loaded with the first sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from mtprobe.backends.device import Dtype, device_for, parse_device
from mtprobe.backends.protocols import LanguagePair, OpenRequest
from mtprobe.backends.registry import SEARCH, SpecOptions, split_options
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles, find_model
from mtprobe.engine.neural import NeuralModel
from mtprobe.engine.runtime.installed import require_runtime
from mtprobe.engine.search.decoding import beams_and_penalty, in_words
from mtprobe.errors import ModelError

if TYPE_CHECKING:
    from mtprobe.engine.engines import Engine
    from mtprobe.engine.graphs.definition import NetworkDefinition, Origin
    from mtprobe.engine.tokenizers.sentencepieces import SentencePieceVocabulary

# By number format; to be raised with every change that may alter a translation or a score.
NUMBERS: Mapping[Dtype, str] = {"fp32": "v1", "fp16": "v1", "int8": "v2"}
LONGEST_OUTPUT = 256  # tokens, EOS included
LONGEST_INPUT = 512
"""The maximum number of tokens of a Firefox model's input, without EOS."""


@dataclass(frozen=True, slots=True)
class FirefoxSearch:
    """Search settings. The decoder has no start token, so none is counted."""

    beams: int = 1
    length_penalty: float = 1.0  # as in transformers' `generate`; see `Decoding`
    max_length: int = LONGEST_OUTPUT  # tokens, EOS included
    max_source: ClassVar[int] = LONGEST_INPUT

    @classmethod
    def from_options(cls, options: SpecOptions) -> FirefoxSearch:
        beams, penalty = beams_and_penalty(options)
        longest = options.positive("max_length") or LONGEST_OUTPUT
        if longest > LONGEST_INPUT:
            raise ModelError(f"{options.spec}: max_length={longest} is too large: at most {LONGEST_INPUT}")
        return cls(beams or 1, 1.0 if penalty is None else penalty, longest)

    def options(self) -> dict[str, str]:
        """The spec options that give this search."""
        default = FirefoxSearch()
        return {
            name: str(value) for name in SEARCH if (value := getattr(self, name)) != getattr(default, name)
        }

    def __str__(self) -> str:
        strategy = "greedy" if self.beams == 1 else f"beam={self.beams}:lp={self.length_penalty:g}"
        return f"{strategy}:max={self.max_length}"


class FirefoxModel(NeuralModel):
    """A Firefox Translations model; greedy by default."""

    ignores_target = True

    def __init__(
        self,
        files: ModelFiles,
        origin: Origin,
        request: OpenRequest,
        search: FirefoxSearch | None = None,
        name: str | None = None,  # in messages; by default the folder
    ) -> None:
        self.search = search = search or FirefoxSearch()
        self.languages, self.dtype = _languages(files, request, name), request.dtype
        self.decoding = in_words(search.beams, search.length_penalty, search.max_length)
        self.fingerprint, self.scoring_fingerprint = (
            f"{origin.fingerprint_prefix}:{used}:{self.dtype}:{NUMBERS[self.dtype]}"
            for used in (search, FirefoxSearch())
        )
        self.origin, self.files = origin, files
        self._device = device_for(request.dtype, parse_device(request.device))
        self._threads = request.threads

    def length(self, text: str) -> int:
        return len(self._vocabulary.encode(text)) + 1  # EOS

    @cached_property
    def _vocabulary(self) -> SentencePieceVocabulary:
        from mtprobe.engine.tokenizers.sentencepieces import SentencePieceVocabulary

        return SentencePieceVocabulary(self.files.source_vocabulary)

    def load(self) -> Engine:
        from mtprobe.engine.engines import FirefoxEngine

        network = self.origin.network(self.dtype)
        return FirefoxEngine(self.files, network, self._device, self._threads, self.search)


@dataclass(frozen=True, slots=True)
class FirefoxWeights:
    """The `Origin` of a model whose weights are converted."""

    files: ModelFiles
    kind: str = "firefox"

    @property
    def fingerprint_prefix(self) -> str:
        return f"{self.kind}:{self.files.digest}"

    def network(self, dtype: Dtype) -> NetworkDefinition:
        from mtprobe.engine.converted.cache import cached

        files = [path for path in (self.files.weights, self.files.config) if path is not None]
        key = " ".join([*(self.files.digests[path] for path in files), str(LONGEST_INPUT), dtype])
        return cached(key, f"{self.kind}:{self.files.weights.parent.name}", lambda: self.build(dtype))

    def build(self, dtype: Dtype = "fp32") -> NetworkDefinition:
        """Converts the weights."""
        from mtprobe.engine.build import bergamot_definition

        return bergamot_definition(self.files, LONGEST_INPUT + 1, dtype)


def open_firefox(rest: str, request: OpenRequest) -> FirefoxModel:
    folder, options = split_options("firefox", rest, SEARCH)
    if not folder:
        raise ModelError("firefox: needs a model folder, as in firefox:models/ende")
    require_runtime(f"firefox:{folder}")
    search, files = FirefoxSearch.from_options(options), find_model(Path(folder))
    return FirefoxModel(files, FirefoxWeights(files), request, search)


def _languages(files: ModelFiles, request: OpenRequest, name: str | None) -> LanguagePair:
    """The languages in the file names, which must agree with the requested ones, or else the requested ones."""
    name = name or str(files.weights.parent)
    if files.languages is None:
        if request.source is None or request.target is None:
            raise ModelError(
                f"{name}: the file names do not say which languages the model is for: "
                "give the source and target language"
            )
        return LanguagePair(request.source, request.target)
    source, target = files.languages
    _check_language(request.source, source, f"{name}: the model translates from")
    _check_language(request.target, target, f"{name}: the model translates into")
    return LanguagePair(request.source or source, request.target or target)


def _check_language(requested: str | None, actual: str, what: str) -> None:
    if requested is None:
        return
    from mtprobe.language.tags import fits

    if not fits(requested, actual):
        raise ModelError(f"{what} {actual}, not {requested}")
