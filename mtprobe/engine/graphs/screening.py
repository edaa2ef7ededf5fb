"""Finds the most probable word in int8, and verifies it in single precision.

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

from mtprobe.engine.graphs.builder import FLOAT, INT64, GraphBuilder
from mtprobe.engine.graphs.definition import Graph
from mtprobe.engine.graphs.linear import ZERO_POINT, Quantised, multiply, quantise, quantise_rows
from mtprobe.engine.graphs.weights import Linear

CHUNK = 8  # words whose maximum is found in one step
EXACT = 4  # chunks whose words are computed in single precision
BLOCK = 2048  # words whose logits fit into the cache of a core
SMALLEST = (EXACT + 1) * CHUNK  # vocabulary
SAFETY = 1e-3  # share by which bounds are raised, for the rounding of what they are computed from
ROUNDING = 1e-4  # of the logits themselves
LOSSLESS = 1e-5  # norm of the error of a row that was stored as integers


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
class _Rounded:
    """The projection in int8, and what that costs."""

    matrix: Quantised
    divisors: npt.NDArray[np.floating]  # [width] of the input, as the matrix is multiplied by them
    norms: npt.NDArray[np.floating]  # [2, words] of each word's row, and of the error of its integers

    @classmethod
    def of(cls, output: Linear) -> _Rounded:
        """Columns with large weights are made smaller, unless the matrix is one of integers already."""
        matrix, divisors = quantise(output.matrix), np.ones(output.matrix.shape[1], np.float32)
        if _errors(output.matrix, matrix).max() > LOSSLESS:
            largest = np.abs(output.matrix).max(axis=0)
            divisors = np.where(largest > 0, largest, 1) ** np.float32(-0.5)
            matrix = quantise(output.matrix * divisors)
        balanced = output.matrix * divisors
        return cls(matrix, divisors, np.stack([np.linalg.norm(balanced, axis=1), _errors(balanced, matrix)]))


def _errors(matrix: npt.NDArray[np.floating], quantised: Quantised) -> npt.NDArray[np.floating]:
    errors: npt.NDArray[np.floating] = np.linalg.norm(
        matrix - quantised.integers * quantised.steps[:, None], axis=1
    )
    return errors


def screen_graph(output: Linear) -> Graph:
    """The likeliest word of each row and how far ahead it is: `word` [rows] and `lead` [rows].

    The logit of the word is larger than all others by at least the lead. Where that is not positive, the word may be
    another one.
    """
    graph = GraphBuilder("screen")
    hidden = graph.input("hidden", FLOAT, ["rows", output.matrix.shape[1]])
    chunks, rounded = _Chunks.of(len(output.matrix)), _Rounded.of(output)
    balanced = graph("Div", hidden, graph.weight(rounded.divisors))
    maxima = [_largest(graph, balanced, output, rounded.matrix, block) for block in chunks.blocks]
    slack = _slack(graph, balanced, chunks, rounded.norms)
    upper = graph("Add", graph("Concat", *maxima, axis=1), slack)
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


def _largest(graph: GraphBuilder, balanced: str, output: Linear, matrix: Quantised, block: range) -> str:
    """[rows, chunks] the largest logit of each chunk of a block, in int8."""
    logits = multiply(graph, balanced, matrix.words(block))
    if output.bias is not None:
        logits = graph("Add", logits, graph.weight(output.bias[block.start : block.stop]))
    by_chunk = graph("Reshape", logits, graph.numbers(-1, CHUNK, len(block) // CHUNK))
    return graph("ReduceMax", by_chunk, graph.numbers(1), keepdims=0)


def _slack(graph: GraphBuilder, balanced: str, chunks: _Chunks, norms: npt.NDArray[np.floating]) -> str:
    """[rows, chunks] how much larger the logit of a word may be than in int8."""
    integers, steps = quantise_rows(graph, balanced)
    centred = graph("Sub", graph("Cast", integers, to=FLOAT), graph.weight(ZERO_POINT))
    quantised, axis = graph("Mul", centred, steps), graph.numbers(1)
    of_rows = [graph("ReduceL2", part, axis) for part in (graph("Sub", balanced, quantised), quantised)]
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
