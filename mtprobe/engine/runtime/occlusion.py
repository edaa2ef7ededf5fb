"""Sources without some of their tokens: what the encoder is told of them.

A token that is not there has zeros for its embedding and still its position, as in the published code of Wino-X.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.graph import Graph, Graphs, SavedGraph
from mtprobe.engine.runtime.packing import Packed
from mtprobe.errors import ModelError

WITHOUT = "encode_without"


def graph_without(graphs: Graphs) -> Graph | SavedGraph:
    """The graph that encodes such sources; models that were exported by an early mtprobe lack it."""
    if WITHOUT not in list(graphs):  # to ask the mapping would build it
        raise ModelError("this model was exported without the graph for salience: export it again")
    return graphs[WITHOUT]


def kept_tokens(source: Packed, without: Sequence[int | None]) -> npt.NDArray[np.float32]:
    """[tokens] 1, and 0 at the given place of each sentence; None: of no place."""
    kept = np.ones(len(source.tokens), np.float32)
    starts = np.cumsum(source.lengths) - source.lengths
    for start, length, place in zip(starts, source.lengths, without, strict=True):
        if place is not None:
            if not 0 <= place < length:
                raise ValueError(f"a source of {length} tokens has no place {place}")
            kept[start + place] = 0
    return kept
