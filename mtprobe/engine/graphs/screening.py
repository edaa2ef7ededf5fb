"""Finds the likeliest word in int8, and proves it in single precision.

Products in int8 come at a third of the cost, and their errors have a bound: with the quantised matrix Ŵ and the
quantised input ĥ, the logit of a word w is at most |w|·|h − ĥ| + |w − ŵ|·|ĥ| away (Cauchy and Schwarz). So the logits
in single precision are needed only for the few words that come first; all others are below a known number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.builder import CONTRIB, FLOAT, INT64, GraphBuilder
from mtprobe.engine.graphs.definition import Graph
from mtprobe.engine.graphs.linear import LARGEST, SMALLEST_STEP, ZERO_POINT, Quantised, quantise
from mtprobe.engine.graphs.weights import Linear

CHUNK = 16  # words whose maximum is found in one step
EXACT = 2  # chunks whose words are computed in single precision
BLOCK = 2048  # words whose logits fit into the cache of a core
SMALLEST = (EXACT + 1) * CHUNK  # vocabulary
SAFETY = 1e-3  # share by which bounds are raised, for the rounding of what they are computed from
ROUNDING = 1e-4  # of the logits themselves


@dataclass(frozen=True, slots=True)
class _Chunks:
    """The vocabulary in chunks; the last one overlaps with others if they do not come out even.

    The words of a chunk are as far apart in their block as the block has chunks: maxima over the first of two axes
    are faster.
    """

    blocks: Sequence[range]
    words: npt.NDArray[np.int64]  # [chunks, CHUNK]

    @classmethod
    def of(cls, vocabulary: int) -> _Chunks:
        complete = vocabulary // CHUNK * CHUNK
        count = -(-complete // BLOCK)
        ends = [complete // CHUNK * number // count * CHUNK for number in range(count + 1)]
        rest = [range(vocabulary - CHUNK, vocabulary)] if complete < vocabulary else []
        blocks = [*(range(*block) for block in pairwise(ends)), *rest]
        return cls(blocks, np.concatenate([np.array(block).reshape(CHUNK, -1).T for block in blocks]))

    def largest(self, values: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        """The largest of the values of each chunk's words."""
        inside: npt.NDArray[np.floating] = values[self.words].max(axis=1)
        return inside


@dataclass(frozen=True, slots=True)
class _Input:
    """The input in integers. All rows share a step, which is cheaper and only changes how near the bounds are."""

    integers: str
    step: str

    @classmethod
    def of(cls, graph: GraphBuilder, hidden: str) -> _Input:
        largest = graph("ReduceMax", graph("Abs", hidden), keepdims=0)
        step = graph("Max", graph("Mul", largest, graph.weight(1 / LARGEST)), graph.weight(SMALLEST_STEP))
        return cls(graph("QuantizeLinear", hidden, step, graph.weight(ZERO_POINT, np.uint8)), step)


def screen_graph(output: Linear) -> Graph:
    """The likeliest word of each row and how far ahead it is: `word` [rows] and `lead` [rows].

    The logit of the word is larger than all others by at least the lead. Where that is not positive, the word may be
    another one.
    """
    graph = GraphBuilder("screen")
    hidden = graph.input("hidden", FLOAT, ["rows", output.matrix.shape[1]])
    chunks, matrix, inputs = _Chunks.of(len(output.matrix)), quantise(output.matrix), _Input.of(graph, hidden)
    maxima = graph(
        "Concat", *(_largest(graph, inputs, output, matrix, block) for block in chunks.blocks), axis=1
    )
    upper = graph("Add", maxima, _slack(graph, hidden, inputs, chunks, _norms(output, matrix)))
    bounds, likely = graph.several("TopK", 2, upper, graph.numbers(EXACT + 1))
    axis = graph.numbers(1)
    exact = graph("Slice", likely, graph.numbers(0), graph.numbers(EXACT), axis)
    rest = graph("Slice", bounds, graph.numbers(EXACT), graph.numbers(EXACT + 1), axis)
    words = graph("Gather", graph.weight(chunks.words, np.int64), exact, axis=0)
    words = graph("Reshape", words, graph.numbers(-1, EXACT * CHUNK))
    best, at = graph.several("TopK", 2, _exact(graph, hidden, output, words), graph.numbers(2))
    first, second = graph.split(best, 2, axis=1)
    lead = graph("Sub", graph("Sub", first, graph("Max", second, rest)), graph.weight(ROUNDING))
    at = graph("Slice", at, graph.numbers(0), graph.numbers(1), axis)
    graph.output(graph("Squeeze", graph("GatherElements", words, at, axis=1), axis), "word", INT64, ["rows"])
    graph.output(graph("Squeeze", lead, axis), "lead", FLOAT, ["rows"])
    return graph.build()


def _largest(graph: GraphBuilder, inputs: _Input, output: Linear, matrix: Quantised, block: range) -> str:
    """[rows, chunks] the largest logit of each chunk of a block, in int8."""
    quantised = matrix.words(block)
    bias = [] if output.bias is None else [graph.weight(output.bias[block.start : block.stop])]
    logits = graph(
        "MatMulIntegerToFloat",
        inputs.integers,
        graph.weight(quantised.integers.T, np.int8),
        inputs.step,
        graph.weight(quantised.steps),
        graph.weight(ZERO_POINT, np.uint8),
        graph.weight(np.zeros(len(block)), np.int8),
        *bias,
        domain=CONTRIB,
    )
    by_chunk = graph("Reshape", logits, graph.numbers(-1, CHUNK, len(block) // CHUNK))
    return graph("ReduceMax", by_chunk, graph.numbers(1), keepdims=0)


def _norms(output: Linear, matrix: Quantised) -> npt.NDArray[np.floating]:
    """[2, words] the norm of each word's row, and of the error of its integers."""
    errors = output.matrix - matrix.integers * matrix.steps[:, None]
    return np.stack([np.linalg.norm(part, axis=1) for part in (output.matrix, errors)])


def _slack(
    graph: GraphBuilder, hidden: str, inputs: _Input, chunks: _Chunks, norms: npt.NDArray[np.floating]
) -> str:
    """[rows, chunks] how much larger the logit of a word may be than in int8."""
    quantised = graph("DequantizeLinear", inputs.integers, inputs.step, graph.weight(ZERO_POINT, np.uint8))
    axis = graph.numbers(1)
    of_rows = [graph("ReduceL2", part, axis) for part in (graph("Sub", hidden, quantised), quantised)]
    factors = np.stack([chunks.largest(norm) for norm in norms]) * (1 + SAFETY)
    return graph("MatMul", graph("Concat", *of_rows, axis=1), graph.weight(factors))


def _exact(graph: GraphBuilder, hidden: str, output: Linear, words: str) -> str:
    """The logits of the words, [rows, words], in single precision."""
    rows = graph("Gather", graph.weight(output.matrix), words, axis=0)
    logits = graph("MatMul", rows, graph("Unsqueeze", hidden, graph.numbers(2)))
    logits = graph("Squeeze", logits, graph.numbers(2))
    if output.bias is None:
        return logits
    return graph("Add", logits, graph("Gather", graph.weight(output.bias), words, axis=0))
