"""Reads saved networks, without the original weights and without conversion; files are checked by digest."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.device import Dtype
from mtprobe.engine.checkpoints.reading import file_digest
from mtprobe.engine.converted.manifest import GRAPH_SUFFIX, WEIGHTS, Manifest, SavedFile, read_manifest
from mtprobe.engine.graphs.definition import NetworkDefinition, SavedGraph
from mtprobe.errors import ModelError
from mtprobe.system.regular_files import open_regular


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
        _check_digest(self.path / WEIGHTS, self.manifest.files[WEIGHTS])
        return self.unchecked_network()

    def unchecked_network(self) -> NetworkDefinition:
        graphs = {name: SavedGraph(self.path / f"{name}{GRAPH_SUFFIX}") for name in self.manifest.graphs}
        return NetworkDefinition(self.manifest.dimensions(), graphs)


def open_saved(folder: Path) -> SavedFolder:
    """Opens a folder and checks its small files; the weights are checked when they are loaded."""
    manifest = read_manifest(folder)
    _check_files(folder, manifest)
    return SavedFolder(folder, manifest)


def _check_files(folder: Path, manifest: Manifest) -> None:
    """Checks the size of every file and the content of all but the weights; raises `ModelError`."""
    for name, expected in manifest.files.items():
        path = folder / name
        try:
            with open_regular(path) as file:
                size = os.fstat(file.fileno()).st_size
        except OSError:
            raise ModelError(
                f"{path}: the file is missing or cannot be read; export the model again"
            ) from None
        if size != expected.size:
            reason = "is it truncated?" if size < expected.size else "it was changed since"
            raise ModelError(f"{path}: has {size} bytes, but {expected.size} were written; {reason}")
        if name != WEIGHTS:
            _check_digest(path, expected)


def _check_digest(path: Path, expected: SavedFile) -> None:
    if file_digest(path) != expected.sha256:
        raise ModelError(f"{path}: not what was written (its sha256 differs); export the model again")
