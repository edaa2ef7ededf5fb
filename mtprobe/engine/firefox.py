"""`firefox:FOLDER`: a Firefox Translations (Bergamot) model, which translates and scores.

Options follow a question mark: `firefox:models/enpt?beams=4`. Opening a model only looks at its files; ONNX
Runtime, the weights and the vocabularies are loaded when the first sentence comes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mtprobe.backends.device import parse_device
from mtprobe.backends.dtype import Dtype, device_for
from mtprobe.backends.protocols import LanguagePair, OpenRequest
from mtprobe.backends.spec_options import SEARCH, SpecOptions, split_options
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles, find_model
from mtprobe.engine.neural import Engine, NeuralModel
from mtprobe.engine.search.decoding import in_words
from mtprobe.errors import ModelError

if TYPE_CHECKING:
    from mtprobe.engine.graphs.network import Origin, Parts
    from mtprobe.engine.tokenizers.sentencepiece_vocabulary import Pieces

NUMBERS = "v1"  # to be raised with every change after which a translation or a score may differ
LONGEST_OUTPUT = 256  # tokens, the end of the sentence included
LONGEST_INPUT = 512  # tokens, without the end of the sentence


@dataclass(frozen=True, slots=True)
class Search:
    """How a model of ours looks for a translation. Its decoder has no start token, so none is counted."""

    beams: int = 1
    length_penalty: float = 1.0  # as transformers' `generate` has it; see `Decoding`
    max_length: int = LONGEST_OUTPUT  # tokens, the end of the sentence included

    @classmethod
    def asked(cls, options: SpecOptions) -> Search:
        beams, penalty = options.positive("beams"), options.real("length_penalty")
        longest = options.positive("max_length") or LONGEST_OUTPUT
        if longest > LONGEST_INPUT:
            raise ModelError(f"{options.spec}: max_length={longest} is too much: at most {LONGEST_INPUT}")
        return cls(beams or 1, 1.0 if penalty is None else penalty, longest)

    def options(self) -> dict[str, str]:
        """What a spec has to say for this search."""
        return {
            name: str(value) for name in SEARCH if (value := getattr(self, name)) != getattr(Search(), name)
        }

    def __str__(self) -> str:
        way = "greedy" if self.beams == 1 else f"beam={self.beams}:lp={self.length_penalty:g}"
        return f"{way}:max={self.max_length}"


class FirefoxModel(NeuralModel):
    """A Firefox Translations model; greedy unless it is told otherwise."""

    def __init__(
        self, files: ModelFiles, origin: Origin, request: OpenRequest, search: Search | None = None
    ) -> None:
        self.search = search = search or Search()
        self.languages, self.dtype = _languages(files, request), request.dtype
        self.decoding = in_words(search.beams, search.length_penalty, search.max_length)
        self.fingerprint = f"{origin.mark}:{search}:{self.dtype}:{NUMBERS}"
        self.origin, self.files = origin, files
        self._device = device_for(request.dtype, parse_device(request.device))
        self._threads = request.threads

    def length(self, text: str) -> int:
        return len(self._vocabulary.encode(text)) + 1  # the end of the sentence

    @cached_property
    def _vocabulary(self) -> Pieces:
        from mtprobe.engine.tokenizers.sentencepiece_vocabulary import Pieces

        return Pieces(self.files.source_vocabulary)

    def load(self) -> Engine:
        from mtprobe.engine.firefox_model import FirefoxEngine

        parts = self.origin.parts(self.dtype)
        return FirefoxEngine(self.files, parts, self._device, self._threads, self.search, LONGEST_INPUT)


@dataclass(frozen=True, slots=True)
class FirefoxWeights:
    """The `Origin` of a model whose weights are converted."""

    files: ModelFiles
    kind: str = "firefox"

    @property
    def mark(self) -> str:
        return f"{self.kind}:{self.files.digest}"

    def parts(self, dtype: Dtype) -> Parts:
        from mtprobe.engine.converted.cache import cached

        files = [path for path in (self.files.weights, self.files.config) if path is not None]
        key = " ".join([*(self.files.digests[path] for path in files), str(LONGEST_INPUT), dtype])
        return cached(key, f"{self.kind}:{self.files.weights.parent.name}", lambda: self.build(dtype))

    def build(self, dtype: Dtype = "fp32") -> Parts:
        """The network, converted from the weights."""
        from mtprobe.engine.bergamot_model import bergamot_parts

        return bergamot_parts(self.files, LONGEST_INPUT + 1, dtype)


def open_firefox(rest: str, request: OpenRequest) -> FirefoxModel:
    folder, options = split_options("firefox", rest, SEARCH)
    if not folder:
        raise ModelError("firefox: needs the folder of a model, as in firefox:models/ende")
    search, files = Search.asked(options), find_model(Path(folder))
    return FirefoxModel(files, FirefoxWeights(files), request, search)


def _languages(files: ModelFiles, request: OpenRequest) -> LanguagePair:
    """The languages in the file names, or those asked for where the names say nothing; the two must agree."""
    folder = files.weights.parent
    if files.languages is None:
        if request.source is None or request.target is None:
            raise ModelError(
                f"{folder}: the file names do not say which languages the model is for: give --mt-source and --mt-target"
            )
        return LanguagePair(request.source, request.target)
    source, target = files.languages
    _must_fit(request.source, source, f"{folder}: the model translates from")
    _must_fit(request.target, target, f"{folder}: the model translates into")
    return LanguagePair(request.source or source, request.target or target)


def _must_fit(asked: str | None, given: str, what: str) -> None:
    if asked is None:
        return
    from mtprobe.language.tags import fits

    if not fits(asked, given):
        raise ModelError(f"{what} {given}, not {asked}")
