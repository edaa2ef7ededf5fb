"""Reads networks that were saved. Neither weights nor conversion are needed for that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.dtype import Dtype
from mtprobe.engine.converted.files import check_files, check_weights
from mtprobe.engine.converted.manifest import GRAPH_SUFFIX, Manifest, read_manifest
from mtprobe.engine.graphs.graph import SavedGraph
from mtprobe.engine.graphs.network import Parts
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
    """The `Origin` of a model that was exported."""

    path: Path
    manifest: Manifest

    @property
    def mark(self) -> str:
        return f"onnx:{self.manifest.digest}"

    def parts(self, dtype: Dtype) -> Parts:
        self.must_be(dtype)
        return self.checked_parts()

    def must_be(self, dtype: Dtype) -> None:
        """What was exported in one number format is not to be had in another."""
        saved = self.manifest.facts().dtype
        if saved != dtype:
            raise ModelError(
                f"{self.path}: the model was exported in {saved}, and {dtype} was asked for; "
                f"take --mt-dtype={saved}, or export it again in {dtype}"
            )

    def checked_parts(self) -> Parts:
        """Reads the weights once through, to see that they are what was written."""
        check_weights(self.path, self.manifest)
        return self.unchecked_parts()

    def unchecked_parts(self) -> Parts:
        return Parts(self.manifest.facts(), SavedGraphs(self.path, self.manifest.graphs))


def open_saved(folder: Path) -> SavedFolder:
    """A folder whose small files are what was written; the weights are looked into when they are loaded."""
    manifest = read_manifest(folder)
    check_files(folder, manifest)
    return SavedFolder(folder, manifest)
