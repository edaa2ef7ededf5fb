"""The layers of the Llama family as graph nodes.

As in `transformer_layers.py`, everything that processes tokens independently runs on packed tokens; only attention
unpacks them into a padded batch of trees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtprobe.engine.graphs.attention import Heads
from mtprobe.engine.graphs.builder import CONTRIB, FLOAT, GraphBuilder, PackedSide
from mtprobe.engine.graphs.linear import linear
from mtprobe.engine.graphs.llama import GatedFeedForward, LlamaAttention, LlamaModel
from mtprobe.engine.graphs.weights import Linear, Tensor


@dataclass(frozen=True, slots=True)
class Rotation:
    """The rotation of the heads of each token, as names of graph values."""

    cosines: str  # [tokens, head width / 2]
    sines: str
    tokens: str  # [1, tokens] the row of each token in both


@dataclass(frozen=True, slots=True)
class KeysAndValues:
    """The keys and values that tokens attend to, as names of graph values, [sentences, key heads, length, head width]."""

    keys: str
    values: str


@dataclass(frozen=True, slots=True)
class LlamaLayers:
    """The layers of one model; each method adds nodes to the graph and returns the name of its result."""

    model: LlamaModel
    graph: GraphBuilder

    def embed(self, tokens: str) -> str:
        return self.graph("Gather", self.graph.weight(self.model.embedding), tokens, axis=0)

    def norm(self, x: str, scale: Tensor) -> str:
        """Divides each row by the root of its mean square."""
        return self.graph(
            "SimplifiedLayerNormalization",
            x,
            self.graph.weight(scale),
            axis=-1,
            epsilon=self.model.epsilon,
            stash_type=1,
        )

    def linear(self, x: str, *parts: Linear) -> str:
        return linear(self.graph, x, *parts)

    def feed_forward(self, x: str, layer: GatedFeedForward) -> str:
        graph, normed = self.graph, self.norm(x, layer.norm)
        gate = graph("QuickGelu", self.linear(normed, layer.gate), domain=CONTRIB, alpha=1.0)
        hidden = graph("Mul", gate, self.linear(normed, layer.inner))
        return graph("Add", x, self.linear(hidden, layer.outer))

    def rotation(self, depths: str) -> Rotation:
        """Rotary positions, computed in single precision whatever the number format."""
        graph = self.graph
        places = graph("Unsqueeze", graph("Cast", depths, to=FLOAT), graph.numbers(1))
        angles = graph("Mul", places, graph.weight(self.model.rates[None], np.float32))
        cosines, sines = (graph("Cast", graph(turn, angles), to=graph.floating) for turn in ("Cos", "Sin"))
        count = graph("Squeeze", graph("Shape", depths), graph.numbers(0))
        zero, one = (graph.weight(np.int64(number), np.int64) for number in (0, 1))
        rows = graph("Range", zero, count, one)
        return Rotation(cosines, sines, graph("Unsqueeze", rows, graph.numbers(0)))

    def projections(self, x: str, layer: LlamaAttention, rotation: Rotation) -> tuple[str, str, str]:
        """The queries and keys, rotated where the layer does so, and the values, of packed tokens."""
        model, normed = self.model, self.norm(x, layer.norm)
        query = self._normed_heads(self.linear(normed, layer.query), layer.query_norm, model.heads)
        key = self._normed_heads(self.linear(normed, layer.key), layer.key_norm, model.key_heads)
        value = self.linear(normed, layer.value)
        if not layer.rotates:
            return query, key, value
        return self._rotate(query, rotation, model.heads), self._rotate(key, rotation, model.key_heads), value

    def attend(
        self, query: str, side: PackedSide, shared: KeysAndValues, own: KeysAndValues, mask: str
    ) -> str:
        """[tokens, heads × head width]: tokens attend to what all sentences share, and to their own sentence.

        `query` is packed. `mask` is an `attention_mask`, [sentences, 1, longest, shared + own]. The queries that share
        a key head are rows of one matrix, so that no key is ever repeated.
        """
        graph, model = self.graph, self.model
        group, head_width = model.heads // model.key_heads, model.head_width
        heads = Heads.of(graph, side.unpack, model.heads, model.heads * head_width)
        by_head = heads.split(query)  # [sentences, heads, longest, head width]
        # [sentences, key heads, group × longest, head width]
        rows = graph("Reshape", by_head, graph.numbers(0, model.key_heads, -1, head_width))
        scores = graph(
            "Concat",
            *(
                graph("FusedMatMul", rows, keys, domain=CONTRIB, transB=1, alpha=head_width**-0.5)
                for keys in (shared.keys, own.keys)
            ),
            axis=-1,
        )
        shape = graph("Shape", scores)
        if group > 1:
            length = graph("Shape", side.unpack, start=1, end=2)
            split_shape = graph(
                "Concat",
                graph("Shape", scores, start=0, end=1),
                graph.numbers(model.heads),
                length,
                graph("Shape", scores, start=3, end=4),
                axis=0,
            )
            scores = graph("Reshape", scores, split_shape)
        weights = graph("Softmax", graph("Add", scores, mask), axis=-1)
        if group > 1:
            weights = graph("Reshape", weights, shape)
        edge, last = graph("Shape", shared.keys, start=2, end=3), graph.numbers(-1)
        on_shared = graph("Slice", weights, graph.numbers(0), edge, last)
        on_own = graph("Slice", weights, edge, graph.numbers(np.iinfo(np.int64).max), last)
        mixed = graph("Add", graph("MatMul", on_shared, shared.values), graph("MatMul", on_own, own.values))
        return heads.merge(mixed, side)

    def split_keys(self, packed: str, unpack: str) -> str:
        """Packed keys or values → [sentences, key heads, longest, head width]."""
        model = self.model
        return Heads.of(self.graph, unpack, model.key_heads, model.key_heads * model.head_width).split(packed)

    def leave(self, x: str, mixed: str, layer: LlamaAttention) -> str:
        """The output of an attention block with its residual connection."""
        return self.graph("Add", x, self.linear(mixed, layer.output))

    def _normed_heads(self, x: str, scale: Tensor | None, heads: int) -> str:
        if scale is None:
            return x
        graph, width = self.graph, self.model.head_width
        by_head = graph("Reshape", x, graph.numbers(-1, heads, width))
        return graph("Reshape", self.norm(by_head, scale), graph.numbers(-1, heads * width))

    def _rotate(self, x: str, rotation: Rotation, heads: int) -> str:
        graph, axis = self.graph, self.graph.numbers(0)
        rotated = graph(
            "RotaryEmbedding",
            graph("Unsqueeze", x, axis),
            rotation.tokens,
            rotation.cosines,
            rotation.sines,
            domain=CONTRIB,
            num_heads=heads,
        )
        return graph("Squeeze", rotated, axis)
