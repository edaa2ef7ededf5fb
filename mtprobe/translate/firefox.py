"""`firefox:FOLDER`: a Firefox Translations (Bergamot) model, which translates and scores.

Opening one only looks at its files; ONNX Runtime, the weights and the vocabulary are loaded when the
first sentence comes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mtprobe.errors import ModelError
from mtprobe.nets.folder import ModelFiles, find_model
from mtprobe.nets.session import parse_device
from mtprobe.translate.backend import LanguagePair, OpenRequest
from mtprobe.translate.neural import Engine, NeuralModel

if TYPE_CHECKING:
    from mtprobe.nets.parts import Origin, Parts

NUMBERS = "v1"  # to be raised with every change after which a translation or a score may differ
LONGEST_OUTPUT = 256  # tokens
LONGEST_INPUT = 512  # tokens, without the end of the sentence


class FirefoxModel(NeuralModel):
    """A Firefox Translations model: greedy, float32."""

    decoding = f"greedy, max {LONGEST_OUTPUT} tokens"

    def __init__(self, files: ModelFiles, origin: Origin, request: OpenRequest) -> None:
        self.languages = _languages(files, request)
        self.fingerprint = f"{origin.mark}:greedy:max={LONGEST_OUTPUT}:{self.dtype}:{NUMBERS}"
        self.origin, self.files = origin, files
        self._device, self._threads = parse_device(request.device), request.threads

    def load(self) -> Engine:
        from mtprobe.translate.firefox_engine import FirefoxEngine

        parts = self.origin.parts()
        return FirefoxEngine(self.files, parts, self._device, self._threads, LONGEST_INPUT, LONGEST_OUTPUT)


@dataclass(frozen=True, slots=True)
class FirefoxWeights:
    """The `Origin` of a model whose weights are converted."""

    files: ModelFiles
    kind: str = "firefox"

    @property
    def mark(self) -> str:
        return f"{self.kind}:{self.files.digest}"

    def parts(self) -> Parts:
        from mtprobe.saved.cache import cached

        key = f"{self.files.weights_digest} {LONGEST_INPUT}"
        return cached(key, f"{self.kind}:{self.files.weights.parent.name}", self.build)

    def build(self) -> Parts:
        """The network, converted from the weights."""
        from mtprobe.nets.engine import bergamot_parts

        return bergamot_parts(self.files, LONGEST_INPUT + 1)


def open_firefox(rest: str, request: OpenRequest) -> FirefoxModel:
    if not rest:
        raise ModelError("firefox: needs the folder of a model, as in firefox:models/ende")
    files = find_model(Path(rest))
    return FirefoxModel(files, FirefoxWeights(files), request)


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
