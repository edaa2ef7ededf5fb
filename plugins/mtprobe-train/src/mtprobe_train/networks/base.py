"""The model that training starts from: opened by its spec, loaded into torch, and saved in its own format."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from mtprobe.backends import Model, ModelError, ModelSpec, OpenRequest, Tokenizer, open_backend
from mtprobe.verbs import FirefoxModel, FirefoxWeights, HfModel, HfWeights

from .network import Network


class Base(Protocol):
    """A model for one direction, whose weights torch can train."""

    @property
    def model(self) -> Model: ...

    def tokenizer(self) -> Tokenizer: ...

    def load(self, device: str) -> Network:
        """Loads its weights in fp32."""

    def save(self, network: Network, folder: Path) -> None:
        """Writes trained weights into a folder, in which other files may be; complete or not at all."""

    def spec(self, folder: Path) -> str:
        """How what was saved is opened."""


def open_base(spec: str, request: OpenRequest) -> Base:
    """Opens the model; one that torch cannot train is an error that says what would be right."""
    parsed = ModelSpec.parse(spec)
    backend = open_backend(parsed, request)
    model = Model(parsed.name, backend)
    if isinstance(backend, HfModel) and isinstance(backend.origin, HfWeights):
        from .hugging_face import HuggingFace

        return HuggingFace(model, backend.folder.path, backend.config.model_type == "marian")
    if isinstance(backend, FirefoxModel) and isinstance(backend.origin, FirefoxWeights):
        from .bergamot import open_bergamot

        return open_bergamot(model, backend)
    raise ModelError(
        f"{parsed.name} has no gradients here: only Hugging Face models of the families Marian, M2M100, NLLB and mBART "
        "(hf:NAME_OR_PATH) and Firefox models (firefox:FOLDER, demo) can be trained; name the model that it was converted from"
    )
