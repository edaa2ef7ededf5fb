"""Reads saved networks, without the original weights and without conversion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.device import Dtype
from mtprobe.engine.converted.files import check_files, check_weights
from mtprobe.engine.converted.manifest import GRAPH_SUFFIX, Manifest, read_manifest
from mtprobe.engine.graphs.definition import NetworkDefinition
from mtprobe.engine.graphs.graph import SavedGraph
from mtprobe.errors import ModelError


class SavedGraphs(Mapping[str, SavedGraph]):
    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder, self._names = folder, names

    def __getitem__(self, name: str) -> SavedGraph:
        if name not in self._names:
            raise KeyError(name)
        return SavedGraph(self._folder / f"{name}{GRAPH_SUFFIX}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, slots=True)
class SavedFolder:
    """The `Origin` of an exported model."""

    path: Path
    manifest: Manifest

    @property
    def fingerprint_prefix(self) -> str:
        return f"onnx:{self.manifest.digest}"

    def network(self, dtype: Dtype) -> NetworkDefinition:
        self.require_dtype(dtype)
        return self.checked_network()

    def require_dtype(self, dtype: Dtype) -> None:
        """Raises `ModelError` if the model was exported in another number format."""
        saved = self.manifest.dimensions().dtype
        if saved != dtype:
            raise ModelError(
                f"{self.path}: the model was exported in {saved}, but {dtype} was requested; "
                f"use the dtype {saved}, or export it again in {dtype}"
            )

    def checked_network(self) -> NetworkDefinition:
        """Checks the digest of the weights first, which reads them completely."""
        check_weights(self.path, self.manifest)
        return self.unchecked_network()

    def unchecked_network(self) -> NetworkDefinition:
        return NetworkDefinition(self.manifest.dimensions(), SavedGraphs(self.path, self.manifest.graphs))


def open_saved(folder: Path) -> SavedFolder:
    """Opens a folder and checks its small files; the weights are checked when they are loaded."""
    manifest = read_manifest(folder)
    check_files(folder, manifest)
    return SavedFolder(folder, manifest)
