"""The layers of a transformer, written into a graph.

As in `layers.py`, whatever treats tokens one by one runs over all of them without padding; only attention
sets sentences side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.engine.graphs.attention import Heads
from mtprobe.engine.graphs.builder import CONTRIB, GraphBuilder
from mtprobe.engine.graphs.layers import Side
from mtprobe.engine.graphs.linear import linear
from mtprobe.engine.graphs.transformer import (
    Attention,
    Embedding,
    FeedForward,
    Linear,
    Norm,
    TransformerModel,
)


@dataclass(frozen=True, slots=True)
class TransformerLayers:
    """The layers of one model: each method adds its nodes to the graph and gives the name of its result."""

    model: TransformerModel
    graph: GraphBuilder

    def embed(self, embedding: Embedding, tokens: str, places: str, kept: str | None = None) -> str:
        """`kept` [tokens]: 0 for nothing in the place of a token's embedding; its position stays."""
        graph = self.graph
        x = graph("Gather", graph.weight(embedding.table), tokens, axis=0)
        if embedding.scale != 1.0:
            x = graph("Mul", x, graph.weight(np.float32(embedding.scale)))
        if kept is not None:
            x = graph("Mul", x, graph("Unsqueeze", kept, graph.numbers(1)))
        x = graph("Add", x, graph("Gather", graph.weight(embedding.positions), places, axis=0))
        return self.norm(x, embedding.norm)

    def norm(self, x: str, norm: Norm | None) -> str:
        if norm is None:
            return x
        scale, bias = self.graph.weight(norm.scale), self.graph.weight(norm.bias)
        return self.graph("LayerNormalization", x, scale, bias, epsilon=self.model.epsilon)

    def enter(self, x: str, norm: Norm) -> str:
        """What a part of a layer gets to see."""
        return self.norm(x, norm) if self.model.norm_first else x

    def leave(self, made: str, x: str, norm: Norm) -> str:
        """What a part of a layer has made of x, joined with what went past it."""
        joined = self.graph("Add", made, x)
        return joined if self.model.norm_first else self.norm(joined, norm)

    def linear(self, x: str, *parts: Linear) -> str:
        return linear(self.graph, x, *parts)

    def feed_forward(self, x: str, layer: FeedForward) -> str:
        hidden = self.activate(self.linear(self.enter(x, layer.norm), layer.inner))
        return self.leave(self.linear(hidden, layer.outer), x, layer.norm)

    def activate(self, x: str) -> str:
        match self.model.activation:
            case "relu":
                return self.graph("Relu", x)
            case "gelu":
                return self.graph("Gelu", x, domain=CONTRIB)
            case "gelu_new":
                return self.graph("FastGelu", x, domain=CONTRIB)
            case "quick_gelu":
                return self.graph("QuickGelu", x, domain=CONTRIB, alpha=1.702)
            case "silu":
                return self.graph("QuickGelu", x, domain=CONTRIB, alpha=1.0)

    def self_attention(self, x: str, layer: Attention, side: Side, heads: int, mask: str) -> str:
        """Every sentence attends to itself, where the mask allows it: see `attention_mask`."""
        each = self.heads(side.unpack, heads)
        query, key, value = (each.apart(part) for part in self._projections(x, layer))
        mixed = each.together(each.attend(query, key, value, mask), side)
        return self.leave(self.linear(mixed, layer.output), x, layer.norm)

    def cross_attention(
        self, x: str, layer: Attention, side: Side, attended: tuple[str, str], mask: str
    ) -> str:
        """The tokens of each sentence attend to the keys and values of its source, which come head by head."""
        each = self.heads(side.unpack, self.model.decoder.heads)
        query = each.apart(self.linear(self.enter(x, layer.norm), layer.query))
        mixed = each.together(each.attend(query, *attended, mask), side)
        return self.leave(self.linear(mixed, layer.output), x, layer.norm)

    def heads(self, unpack: str, count: int, parts: int = 1) -> Heads:
        return Heads.of(self.graph, unpack, count, self.model.width, parts)

    def cached_attention(
        self, x: str, layer: Attention, past: Sequence[str], filled: str
    ) -> tuple[str, Sequence[str]]:
        """One token a row attends to itself and the past; gives the past grown by it, too.

        The past is keys and values, [rows, heads, length, width of a head]; `filled` is 0 where it is empty.
        """
        axis, heads = self.graph.numbers(1), self.model.decoder.heads
        parts = [self.graph("Unsqueeze", part, axis) for part in self._projections(x, layer)]
        mixed, *grown = self.graph.several(
            "MultiHeadAttention", 3, *parts, "", filled, "", *past, domain=CONTRIB, num_heads=heads
        )
        made = self.linear(self.graph("Squeeze", mixed, axis), layer.output)
        return self.leave(made, x, layer.norm), grown

    def _projections(self, x: str, layer: Attention) -> list[str]:
        """Three multiplications: to take the result of a single one apart costs more than it saves."""
        inside = self.enter(x, layer.norm)
        seen = inside if self.model.norms_keys else x
        return [
            self.linear(values, part)
            for values, part in ((inside, layer.query), (seen, layer.key), (seen, layer.value))
        ]

    def unpack(self, x: str, index: str) -> str:
        return self.graph("Gather", x, index, axis=0)
