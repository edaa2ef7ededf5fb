"""A graph that can be run, and where networks have theirs from: a mapping from names to graphs.

What stands behind the mapping builds them from weights, or reads what was saved; networks do not know which.
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
    """A written graph, and beside it the weights, which are handed over as they stand in memory."""

    serialized: bytes
    weights: Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class SavedGraph:
    """A graph in a file, which says where its weights are; the runtime maps them."""

    path: Path


Graphs: TypeAlias = Mapping[str, Graph | SavedGraph]


class BuiltGraphs(Mapping[str, Graph]):
    """Graphs that are built each time they are asked for."""

    def __init__(self, builders: Mapping[str, Callable[[], Graph]]) -> None:
        self._builders = builders

    def __getitem__(self, name: str) -> Graph:
        return self._builders[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._builders)

    def __len__(self) -> int:
        return len(self._builders)
