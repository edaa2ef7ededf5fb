"""Multiplication by weights, in any number format.

In int8, weights are quantised once and inputs row by row, each by its own largest value, so that the result of a
row does not depend on the other rows of the batch. Integer sums are exact in any order, so results are identical
to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.builder import CONTRIB, GraphBuilder
from mtprobe.engine.graphs.weights import Linear, Tensor

LARGEST = 127
ZERO_POINT = 128  # of the unsigned bytes of an input
ON_GRID = 1e-3  # of a step; weights that were stored as integers are this close to a multiple of the step


@dataclass(frozen=True, slots=True)
class Quantised:
    """An int8 matrix; a row is its integers times its step."""

    integers: npt.NDArray[np.int8]  # [out, in]
    steps: Tensor  # [out]

    def words(self, words: range) -> Quantised:
        rows = slice(words.start, words.stop)
        return Quantised(self.integers[rows], self.steps[rows])


def quantise(matrix: Tensor) -> Quantised:
    """One step per row; a matrix that was stored with a single step keeps it, without loss."""
    steps = _single_step(matrix)
    if steps is None:
        largest = np.abs(matrix).max(axis=1)
        steps = np.where(largest > 0, largest, 1).astype(np.float32) / np.float32(LARGEST)
    integers = np.rint(matrix / steps[:, None])
    return Quantised(integers.astype(np.int8), steps)


def _single_step(matrix: Tensor) -> Tensor | None:
    step = np.abs(matrix).max() / np.float32(LARGEST)
    for rows in (matrix[:1], matrix):  # the first row is usually enough to rule it out
        if not step or np.abs(rows / step - np.rint(rows / step)).max() > ON_GRID:
            return None
    return np.full(len(matrix), step, np.float32)


def linear(graph: GraphBuilder, x: str, *parts: Linear) -> str:
    """One multiplication for all parts; their results are concatenated."""
    if graph.dtype == "int8":
        matrices = [quantise(part.matrix) for part in parts]
        integers, steps = (
            np.concatenate([quantised.integers for quantised in matrices]),
            np.concatenate([quantised.steps for quantised in matrices]),
        )
        product = multiply(graph, x, Quantised(integers, steps))
        bias = _bias(parts)
        return product if bias is None else graph("Add", product, graph.weight(bias))
    matrix = parts[0].matrix if len(parts) == 1 else np.concatenate([part.matrix for part in parts])
    # In its memory layout, so that it need not be copied.
    transposed = not matrix.flags.c_contiguous
    inputs = [x, graph.weight(matrix.T if transposed else matrix)]
    if (bias := _bias(parts)) is not None:
        inputs.append(graph.weight(bias))
    return graph("Gemm", *inputs, transB=int(not transposed))


def _bias(parts: Sequence[Linear]) -> Tensor | None:
    if all(part.bias is None for part in parts):
        return None
    return np.concatenate(
        [np.zeros(len(part.matrix), np.float32) if part.bias is None else part.bias for part in parts]
    )


def multiply(graph: GraphBuilder, x: str, matrix: Quantised) -> str:
    """x [rows, in] by a matrix → [rows, out]; x is quantised once, however many matrices it is multiplied by."""
    integers, steps = quantise_rows(graph, x)
    product = graph(
        "MatMulIntegerToFloat",
        integers,
        graph.weight(matrix.integers.T, np.int8),
        graph.weight(1.0),
        graph.weight(matrix.steps),
        graph.weight(ZERO_POINT, np.uint8),
        graph.weight(0, np.int8),
        domain=CONTRIB,
    )
    return graph("Mul", product, steps)


def quantise_rows(graph: GraphBuilder, x: str, rows: str = "") -> tuple[str, str]:
    """x [rows, in] as unsigned bytes around `ZERO_POINT`, and the step of each row, [rows, 1].

    `rows` names the number of rows where a graph has inputs of several lengths. A row of zeros has a step of 0, so it
    does not matter what its integers are.
    """

    def zero_points(steps: str) -> str:
        return graph("Expand", graph.weight([ZERO_POINT], np.uint8), graph("Shape", steps))

    def add() -> tuple[str, str]:
        largest = graph("ReduceMax", graph("Abs", x), graph.numbers(1), keepdims=0)
        steps = graph("Mul", largest, graph.weight(1 / LARGEST))
        zeros = graph.once(("zero points", rows), lambda: zero_points(steps))
        integers = graph("QuantizeLinear", x, steps, zeros, axis=0)
        return integers, graph("Unsqueeze", steps, graph.numbers(1))

    return graph.once(("quantised rows", x), add)
