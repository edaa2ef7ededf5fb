"""Firefox models with an SSRU decoder, including the demo model: trained in torch, saved as `onnx:`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends import Dtype, Model, ModelError, OpenRequest, Tokenizer
from mtprobe.verbs import (
    LONGEST_INPUT,
    BergamotTokenizer,
    FirefoxModel,
    FirefoxWeights,
    NetworkDefinition,
    SentencePieceVocabulary,
    SsruModel,
    export,
    read_model,
    ssru_definition,
)

from .network import Network, on_device

ONNX = "onnx"  # the folder of the exported model


@dataclass(frozen=True, slots=True)
class Bergamot:
    model: Model
    backend: FirefoxModel
    weights: SsruModel

    def tokenizer(self) -> Tokenizer:
        """The decoder has no start token: it begins with zeros in place of an embedding."""
        files = self.backend.files
        source, target = map(SentencePieceVocabulary, (files.source_vocabulary, files.target_vocabulary))
        return BergamotTokenizer(source, target, (target.end,))

    def load(self, device: str) -> Network:
        from .ssru import SsruTwin

        return on_device(SsruTwin(self.weights), device, pad=0)

    def save(self, network: Network, folder: Path) -> None:
        backend = self.backend
        trained = _Trained(backend.files, "firefox", network.module.trained())
        languages = backend.languages
        request = OpenRequest(source=languages.source, target=languages.target)
        export(self.model.name, FirefoxModel(backend.files, trained, request, backend.search), folder / ONNX)

    def spec(self, folder: Path) -> str:
        return f"onnx:{folder / ONNX}"


@dataclass(frozen=True, slots=True)
class _Trained(FirefoxWeights):
    """Weights that come from a training and not from the files."""

    trained: SsruModel | None = None

    def build(self, dtype: Dtype = "fp32") -> NetworkDefinition:
        if self.trained is None:
            return FirefoxWeights.build(self, dtype)
        return ssru_definition(self.trained, LONGEST_INPUT + 1, dtype)


def open_bergamot(model: Model, backend: FirefoxModel) -> Bergamot:
    files = backend.files
    weights = read_model(files.weights, files.config, LONGEST_INPUT + 1)
    if not isinstance(weights, SsruModel):
        raise ModelError(
            f"{model.name} cannot be trained: of Firefox models, only those with an SSRU decoder can"
        )
    return Bergamot(model, backend, weights)
