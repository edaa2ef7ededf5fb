"""The layers of a transformer as graph nodes.

As in `ssru_layers.py`, everything that processes tokens independently runs on packed tokens; only attention
unpacks them into a padded batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.engine.graphs.attention import Heads
from mtprobe.engine.graphs.builder import CONTRIB, GraphBuilder, PackedSide
from mtprobe.engine.graphs.linear import linear
from mtprobe.engine.graphs.transformer import Attention, Embedding, FeedForward, TransformerModel
from mtprobe.engine.graphs.weights import Linear, Norm


@dataclass(frozen=True, slots=True)
class TransformerLayers:
    """The layers of one model; each method adds nodes to the graph and returns the name of its result."""

    model: TransformerModel
    graph: GraphBuilder

    def embed(self, embedding: Embedding, tokens: str, places: str, kept: str | None = None) -> str:
        """`kept` [tokens] is 0 for tokens whose embedding is replaced by zeros; their position stays."""
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
        """The input of a sublayer."""
        return self.norm(x, norm) if self.model.norm_first else x

    def leave(self, output: str, x: str, norm: Norm) -> str:
        """The output of a sublayer with its residual connection."""
        total = self.graph("Add", output, x)
        return total if self.model.norm_first else self.norm(total, norm)

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

    def self_attention(self, x: str, layer: Attention, side: PackedSide, heads: int, mask: str) -> str:
        """Every sentence attends to itself where the mask allows it; see `attention_mask`."""
        split_heads = self.heads(side.unpack, heads)
        query, key, value = (split_heads.split(projection) for projection in self._projections(x, layer))
        mixed = split_heads.merge(split_heads.attend(query, key, value, mask), side)
        return self.leave(self.linear(mixed, layer.output), x, layer.norm)

    def cross_attention(
        self, x: str, layer: Attention, side: PackedSide, attended: tuple[str, str], mask: str
    ) -> str:
        """The tokens of each sentence attend to the keys and values of its source, given per head."""
        keys, values = attended
        return self.after_attention(x, layer, side, self.cross_weights(x, layer, side, keys, mask), values)

    def cross_weights(self, x: str, layer: Attention, side: PackedSide, keys: str, mask: str) -> str:
        """How much each token attends to each token of its source, [sentences, heads, tokens, source tokens]."""
        heads = self.heads(side.unpack, self.model.decoder.heads)
        query = heads.split(self.linear(self.enter(x, layer.norm), layer.query))
        return heads.weights(query, keys, mask)

    def after_attention(self, x: str, layer: Attention, side: PackedSide, weights: str, values: str) -> str:
        """The rest of a cross-attention block, given its weights."""
        heads = self.heads(side.unpack, self.model.decoder.heads)
        mixed = heads.merge(self.graph("MatMul", weights, values), side)
        return self.leave(self.linear(mixed, layer.output), x, layer.norm)

    def heads(self, unpack: str, count: int, parts: int = 1) -> Heads:
        return Heads.of(self.graph, unpack, count, self.model.width, parts)

    def cached_attention(
        self, x: str, layer: Attention, side: PackedSide, cache: Sequence[str], slots: str, mask: str
    ) -> str:
        """One token per row is written into its slots, and attends where the mask allows it.

        `cache` names the inputs with keys and with values, [sentences, heads, slots, head width]; with the new tokens
        they are the outputs `next_…`.
        """
        graph, count = self.graph, self.model.decoder.heads
        head = self.model.width // count
        query, *new = self._projections(x, layer)
        rows = graph.numbers(-1, count, head)
        keys, values = (
            graph.computed_output(
                f"next_{name}",
                graph.floating,
                ["sentences", count, "slots", head],
                "ScatterND",
                name,
                slots,
                graph("Reshape", part, rows),
            )
            for name, part in zip(cache, new, strict=True)
        )
        heads = self.heads(side.unpack, count)
        mixed = heads.merge(heads.attend(heads.split(query), keys, values, mask), side)
        return self.leave(self.linear(mixed, layer.output), x, layer.norm)

    def _projections(self, x: str, layer: Attention) -> list[str]:
        """Three multiplications: splitting the result of a single one costs more than it saves."""
        normed = self.enter(x, layer.norm)
        attended = normed if self.model.norms_keys else x
        return [
            self.linear(values, part)
            for values, part in ((normed, layer.query), (attended, layer.key), (attended, layer.value))
        ]

    def unpack(self, x: str, index: str) -> str:
        return self.graph("Gather", x, index, axis=0)
