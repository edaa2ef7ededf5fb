"""The layers of an SSRU model as graph nodes.

Everything that processes tokens independently runs on the packed tokens of a batch, without padding:
[tokens, width]. Only attention and the recurrence need a padded batch; they unpack by an index, and pack again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import helper

from mtprobe.engine.graphs.builder import CONTRIB, GraphBuilder, PackedSide
from mtprobe.engine.graphs.linear import linear
from mtprobe.engine.graphs.logits import Logits
from mtprobe.engine.graphs.positions import bergamot_positions
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.weights import Linear, Tensor

EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class SsruLayers:
    """The layers of one model; each method adds nodes to the graph and returns the name of its result."""

    model: SsruModel
    graph: GraphBuilder
    longest: int  # number of positions

    def embed_source(self, tokens: str, places: str, kept: str | None = None) -> str:
        """`kept` [tokens] is 0 for tokens whose embedding is replaced by zeros; their position stays."""
        embedded = self._embed(self.model.source_embeddings, tokens)
        if kept is not None:
            embedded = self.graph("Mul", embedded, self.graph("Unsqueeze", kept, self.graph.numbers(1)))
        return self.add_positions(embedded, places)

    def _embed(self, table: Tensor, tokens: str) -> str:
        scale = self.graph.weight(np.sqrt(self.model.width))
        return self.graph("Mul", self.graph("Gather", self.graph.weight(table), tokens, axis=0), scale)

    def add_positions(self, embedded: str, places: str) -> str:
        signal = self.graph.weight(bergamot_positions(self.longest, self.model.width))
        return self.graph("Add", embedded, self.graph("Gather", signal, places, axis=0))

    def embed_previous(self, previous: str, places: str) -> str:
        """The decoder's input: the embedding of the previous token; zeros at the start of a sentence."""
        graph = self.graph
        inside = graph("Cast", graph("Greater", places, graph.numbers(0)), to=graph.floating)
        inside = graph("Unsqueeze", inside, graph.numbers(1))
        embedded = self._embed(self.model.target_embeddings, previous)
        return self.add_positions(graph("Mul", embedded, inside), places)

    def linear(self, x: str, *names: tuple[str, str | None]) -> str:
        """One multiplication for all (matrix, bias) pairs; their results are concatenated."""
        parts = [
            Linear(self.model.tensors[matrix].T, self.model.vector(bias) if bias else None)
            for matrix, bias in names
        ]
        return linear(self.graph, x, *parts)

    def add_and_norm(self, x: str, residual: str, name: str) -> str:
        scale, bias = (
            self.graph.weight(self.model.vector(f"{name}_ln_{part}")) for part in ("scale", "bias")
        )
        return self.graph("LayerNormalization", self.graph("Add", x, residual), scale, bias, epsilon=EPSILON)

    def feed_forward(self, x: str, prefix: str) -> str:
        hidden = self.graph("Relu", self.linear(x, (f"{prefix}_W1", f"{prefix}_b1")))
        return self.add_and_norm(self.linear(hidden, (f"{prefix}_W2", f"{prefix}_b2")), x, f"{prefix}_ffn")

    def attend(self, query: str, key: str, value: str, mask: str) -> str:
        """Query, key and value are padded, [sentences, length, width]; the mask is 0 at padding."""
        return self.graph(
            "MultiHeadAttention", query, key, value, "", mask, domain=CONTRIB, num_heads=self.model.heads
        )

    def cross_query(self, x: str, layer: int) -> str:
        prefix = f"decoder_l{layer}_context"
        return self.linear(x, (f"{prefix}_Wq", f"{prefix}_bq"))

    def after_attention(self, mixed: str, x: str, layer: int) -> str:
        """The rest of a decoder layer, after attention to the source."""
        prefix = f"decoder_l{layer}_context"
        attended = self.linear(mixed, (f"{prefix}_Wo", f"{prefix}_bo"))
        return self.feed_forward(self.add_and_norm(attended, x, f"{prefix}_Wo"), f"decoder_l{layer}_ffn")

    def unpack(self, x: str, index: str) -> str:
        return self.graph("Gather", x, index, axis=0)

    def pack(self, x: str, *indices: str) -> str:
        """The tokens of a padded batch at each pair of indices."""
        axis = self.graph.numbers(1)
        columns = [self.graph("Unsqueeze", index, axis) for index in indices]
        return self.graph("GatherND", x, self.graph("Concat", *columns, axis=1))

    def recur(self, x: str, side: PackedSide, prefix: str) -> str:
        return self.recurrent_output(self.recurrent_cells(x, side, prefix), x, prefix)

    def recurrent_cells(self, x: str, side: PackedSide, prefix: str, before: str | None = None) -> str:
        """The cell after each token; `before` are the cells of the sentences before it, zeros if not given."""
        graph = self.graph
        forget, fresh = self.gates(x, prefix)
        by_time = graph("Transpose", side.unpack, perm=[1, 0])
        cells = graph.scan(
            _recurrence(graph.floating),
            [before or self._no_cells(side)],
            [self.unpack(forget, by_time), self.unpack(fresh, by_time)],
        )
        return self.pack(cells, side.places, side.rows)

    def _no_cells(self, side: PackedSide) -> str:
        graph = self.graph
        sentences = graph("Shape", side.unpack, start=0, end=1)
        return graph(
            "ConstantOfShape",
            graph("Concat", sentences, graph.numbers(self.model.width), axis=0),
            value=helper.make_tensor("nothing", graph.floating, [1], [0.0]),
        )

    def gates(self, x: str, prefix: str) -> tuple[str, str]:
        """The forget gate, and the new part of the cell."""
        graph = self.graph
        raw_forget, candidate = graph.split(
            self.linear(x, (f"{prefix}_Wf", f"{prefix}_bf"), (f"{prefix}_W", None)), 2, axis=1
        )
        forget = graph("Sigmoid", raw_forget)
        return forget, graph("Mul", graph("Sub", graph.weight(1.0), forget), candidate)

    def recurrent_output(self, cell: str, x: str, prefix: str) -> str:
        return self.add_and_norm(self.graph("Relu", cell), x, f"{prefix}_ffn")

    def log_probabilities(self, x: str) -> str:
        """[tokens, vocabulary], in single precision."""
        return self.graph("LogSoftmax", Logits(self.graph, self.model.output).of_all(x), axis=-1)

    def likeliest(self, logprobs: str) -> tuple[str, str]:
        """The best token of each row and its log-probability.

        First the maximum of each block, then its place in the best block: the runtime finds maxima several times
        faster than their indices.
        """
        graph, vocabulary = self.graph, self.model.target_vocabulary
        block = _block(vocabulary)
        blocks = graph("Reshape", logprobs, graph.numbers(-1, vocabulary // block, block))
        maxima = graph("ReduceMax", blocks, graph.numbers(2), keepdims=0)
        best_block = graph("ArgMax", maxima, axis=1, keepdims=1)
        inside = graph("ArgMax", graph("GatherND", blocks, best_block, batch_dims=1), axis=1, keepdims=0)
        start = graph("Mul", graph("Squeeze", best_block, graph.numbers(1)), graph.numbers(block))
        return graph("Add", start, inside), graph("ReduceMax", maxima, graph.numbers(1), keepdims=0)


def _block(vocabulary: int) -> int:
    """The largest block size up to 512 that divides the vocabulary."""
    return max(size for size in range(1, 513) if vocabulary % size == 0)


def _recurrence(kind: int) -> Any:
    """One step of the SSRU for all sentences: cell = forget * previous cell + fresh."""
    names = [
        helper.make_tensor_value_info(name, kind, None)
        for name in ("before", "forget", "fresh", "cell", "out")
    ]
    nodes = [
        helper.make_node("Mul", ["forget", "before"], ["kept"]),
        helper.make_node("Add", ["kept", "fresh"], ["cell"]),
        helper.make_node("Identity", ["cell"], ["out"]),
    ]
    return helper.make_graph(nodes, "recurrence", names[:3], names[3:])
