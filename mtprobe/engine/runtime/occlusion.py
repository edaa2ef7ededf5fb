"""Occlusion of source tokens.

An occluded token keeps its position but has zeros for its embedding, as in the published code of Wino-X.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.graph import Graph, Graphs, SavedGraph
from mtprobe.engine.runtime.packing import Packed
from mtprobe.errors import ModelError

OCCLUSION_GRAPH = "encode_without"


def occlusion_graph(graphs: Graphs) -> Graph | SavedGraph:
    """The graph that encodes sources with occluded tokens; models exported by early versions lack it."""
    if OCCLUSION_GRAPH not in list(graphs):  # `in` on the mapping itself would build the graph
        raise ModelError("this model was exported without the graph for salience: export it again")
    return graphs[OCCLUSION_GRAPH]


def kept_mask(source: Packed, without: Sequence[int | None]) -> npt.NDArray[np.float32]:
    """[tokens] 0 at the given place of each sentence (None: nowhere), 1 elsewhere."""
    kept = np.ones(len(source.tokens), np.float32)
    starts = np.cumsum(source.lengths) - source.lengths
    for start, length, place in zip(starts, source.lengths, without, strict=True):
        if place is not None:
            if not 0 <= place < length:
                raise ValueError(f"a source of {length} tokens has no place {place}")
            kept[start + place] = 0
    return kept
