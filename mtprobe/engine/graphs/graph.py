"""ONNX graphs, and the mappings from names to graphs that networks run.

A mapping either builds its graphs from weights or reads saved ones; networks need not know which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Graph:
    """A serialized graph and its weights, which are passed to the runtime without copying."""

    serialized: bytes
    weights: Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class SavedGraph:
    """A graph in a file that references its weights; the runtime memory-maps them."""

    path: Path


Graphs: TypeAlias = Mapping[str, Graph | SavedGraph]


class BuiltGraphs(Mapping[str, Graph]):
    """Graphs that are built on every access."""

    def __init__(self, builders: Mapping[str, Callable[[], Graph]]) -> None:
        self._builders = builders

    def __getitem__(self, name: str) -> Graph:
        return self._builders[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._builders)

    def __len__(self) -> int:
        return len(self._builders)
