"""The indices by which one side of a packed batch becomes a padded one."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.engine.graphs.builder import INT64, GraphBuilder


@dataclass(frozen=True, slots=True)
class PackedSide:
    """The source or target side of a batch, as names of graph values."""

    places: str  # [tokens] the position of each token in its sentence
    rows: str  # [tokens] the sentence of each token
    unpack: str  # [sentences, longest] the token at each position; any token where the sentence has ended

    @classmethod
    def inputs(cls, graph: GraphBuilder, side: str) -> PackedSide:
        return cls(
            places=graph.input(f"{side}_places", INT64, [f"{side}_tokens"]),
            rows=graph.input(f"{side}_rows", INT64, [f"{side}_tokens"]),
            unpack=graph.input(f"{side}_unpack", INT64, ["sentences", f"{side}_longest"]),
        )
