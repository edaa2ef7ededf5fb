"""Multi-head attention over packed sentences.

Tokens are packed, [tokens, width]. One index moves each head of a token directly to its place in the padded
batch, [sentences, heads, longest, head width], and another moves the result back. The runtime's own operator
expects padded tokens and moves the heads itself, so that every number would be moved twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtprobe.engine.graphs.builder import CONTRIB, FLOAT16, GraphBuilder, PackedSide


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one side of a batch."""

    graph: GraphBuilder
    count: int
    width: int  # of all heads together
    unpack: str  # [sentences, heads, longest] which head of which token belongs there

    @classmethod
    def of(cls, graph: GraphBuilder, unpack: str, count: int, width: int, parts: int = 1) -> Heads:
        """`unpack` is the token at each position, [sentences, longest]; a token may consist of several parts."""

        def index() -> str:
            tokens = graph("Mul", graph("Unsqueeze", unpack, graph.numbers(1)), graph.numbers(parts * count))
            return graph("Add", tokens, graph.weight(np.arange(count)[:, None], np.int64))

        return cls(graph, count, width, graph.once(("heads of", unpack, count), index))

    def split(self, x: str, part: int = 0) -> str:
        """A part of [tokens, parts × width] → [sentences, heads, longest, head width]."""
        index = self.unpack
        if part:
            index = self.graph("Add", index, self.graph.numbers(part * self.count))
        return self.graph("Gather", self._single_heads(x), index, axis=0)

    def merge(self, x: str, side: PackedSide) -> str:
        """[sentences, heads, longest, head width] → [tokens, width]."""
        graph = self.graph

        def index() -> str:
            rows, places = (graph("Unsqueeze", index, graph.numbers(1)) for index in (side.rows, side.places))
            heads = graph("Mul", rows, graph.numbers(self.count))
            heads = graph("Add", heads, graph.weight(np.arange(self.count), np.int64))
            longest = graph("Shape", side.unpack, start=1, end=2)
            return graph("Add", graph("Mul", heads, longest), places)

        token_index = graph.once(("tokens of", side.unpack, self.count), index)
        heads = graph("Gather", self._single_heads(x), token_index, axis=0)
        return graph("Reshape", heads, graph.numbers(-1, self.width))

    def _single_heads(self, x: str) -> str:
        return self.graph("Reshape", x, self.graph.numbers(-1, self.width // self.count))

    def attend(self, query: str, key: str, value: str, mask: str) -> str:
        """Query, key and value are [sentences, heads, length, head width]; `mask` is an `attention_mask`."""
        return self.graph("MatMul", self.weights(query, key, mask), value)

    def weights(self, query: str, key: str, mask: str) -> str:
        """How much each query attends to each key, [sentences, heads, queries, keys]."""
        graph, scale = self.graph, (self.width // self.count) ** -0.5
        scores = graph("FusedMatMul", query, key, domain=CONTRIB, transB=1, alpha=float(scale))
        return graph("Softmax", graph("Add", scores, mask), axis=-1)


def attention_mask(graph: GraphBuilder, mask: str, *axes: int) -> str:
    """The term added to attention scores: 0 where the mask is 1, a large negative number where it is 0.

    `axes` are the axes of [sentences, heads, queries, keys] that the mask lacks.
    """
    lowest = -3e4 if graph.floating == FLOAT16 else -1e9

    def add() -> str:
        absent = graph("Sub", graph.weight(1.0), graph("Cast", mask, to=graph.floating))
        return graph("Unsqueeze", graph("Mul", absent, graph.weight(lowest)), graph.numbers(*axes))

    return graph.once(("mask of", mask), add)
