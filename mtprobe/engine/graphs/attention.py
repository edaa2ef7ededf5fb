"""Attention, head by head, over sentences that stand side by side.

Tokens come one after the other, [tokens, width]. One index takes each head's part of a token straight to its place,
[sentences, heads, longest, width of a head], and another takes what attention made of it back. The runtime's own
operator wants whole tokens side by side and moves the heads itself: every number twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtprobe.engine.graphs.builder import CONTRIB, FLOAT16, GraphBuilder
from mtprobe.engine.graphs.layers import Side


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one side of a batch."""

    graph: GraphBuilder
    count: int
    width: int  # of all heads together
    unpack: str  # [sentences, heads, longest] which head of which token stands there

    @classmethod
    def of(cls, graph: GraphBuilder, unpack: str, count: int, width: int, parts: int = 1) -> Heads:
        """From which token stands where, [sentences, longest]; a token may have several parts side by side."""

        def index() -> str:
            tokens = graph("Mul", graph("Unsqueeze", unpack, graph.numbers(1)), graph.numbers(parts * count))
            return graph("Add", tokens, graph.weight(np.arange(count)[:, None], np.int64))

        return cls(graph, count, width, graph.once(("heads of", unpack, count), index))

    def apart(self, x: str, part: int = 0) -> str:
        """A part of [tokens, parts × width], head by head."""
        index = self.unpack
        if part:
            index = self.graph("Add", index, self.graph.numbers(part * self.count))
        return self.graph("Gather", self._parted(x), index, axis=0)

    def together(self, x: str, side: Side) -> str:
        """[sentences, heads, longest, width of a head] → [tokens, width]."""
        graph = self.graph

        def index() -> str:
            rows, places = (graph("Unsqueeze", one, graph.numbers(1)) for one in (side.rows, side.places))
            heads = graph("Mul", rows, graph.numbers(self.count))
            heads = graph("Add", heads, graph.weight(np.arange(self.count), np.int64))
            longest = graph("Shape", side.unpack, start=1, end=2)
            return graph("Add", graph("Mul", heads, longest), places)

        at = graph.once(("tokens of", side.unpack, self.count), index)
        found = graph("Gather", self._parted(x), at, axis=0)
        return graph("Reshape", found, graph.numbers(-1, self.width))

    def _parted(self, x: str) -> str:
        return self.graph("Reshape", x, self.graph.numbers(-1, self.width // self.count))

    def attend(self, query: str, key: str, value: str, mask: str) -> str:
        """[sentences, heads, length, width of a head] each; `mask` as `attention_mask` gives it."""
        graph, scale = self.graph, (self.width // self.count) ** -0.5
        likeness = graph("FusedMatMul", query, key, domain=CONTRIB, transB=1, alpha=float(scale))
        return graph("MatMul", graph("Softmax", graph("Add", likeness, mask), axis=-1), value)


def attention_mask(graph: GraphBuilder, mask: str, *axes: int) -> str:
    """What is added to likenesses: nothing where the mask is 1, where it is 0 so little that nothing is left.

    `axes` are those that the mask does not have, of [sentences, heads, asking, asked].
    """
    lowest = -3e4 if graph.floating == FLOAT16 else -1e9

    def adding() -> str:
        absent = graph("Sub", graph.weight(1.0), graph("Cast", mask, to=graph.floating))
        return graph("Unsqueeze", graph("Mul", absent, graph.weight(lowest)), graph.numbers(*axes))

    return graph.once(("mask of", mask), adding)
