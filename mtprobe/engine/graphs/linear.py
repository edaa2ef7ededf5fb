"""Multiplications by weights, in any number format.

In int8, weights are rounded once and what is multiplied by them is rounded row by row: each row by its own
largest value, so that a row's result does not depend on the rows beside it. Integers add up exactly in any
order, so it is the same to the last bit, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.bergamot.binary import Tensor
from mtprobe.engine.graphs.builder import CONTRIB, GraphBuilder
from mtprobe.engine.graphs.transformer import Linear

LARGEST = 127
MIDDLE = 128  # what stands for zero among the unsigned bytes of an input
SMALLEST_STEP = 1e-20  # of a row that is all zeros
ON_GRID = 1e-3  # of a step; weights that were stored as integers are as near as that


@dataclass(frozen=True, slots=True)
class Quantised:
    """A matrix as integers; a row of it is its integers times its step."""

    integers: npt.NDArray[np.int8]  # [out, in]
    steps: Tensor  # [out]

    def words(self, words: range) -> Quantised:
        part = slice(words.start, words.stop)
        return Quantised(self.integers[part], self.steps[part])


def quantised(matrix: Tensor) -> Quantised:
    """Each row by a step of its own; a matrix that was stored with one step for all keeps it, and loses nothing."""
    steps = _step_of_all(matrix)
    if steps is None:
        largest = np.abs(matrix).max(axis=1)
        steps = np.where(largest > 0, largest, 1).astype(np.float32) / np.float32(LARGEST)
    integers = np.rint(matrix / steps[:, None])
    return Quantised(integers.astype(np.int8), steps)


def _step_of_all(matrix: Tensor) -> Tensor | None:
    step = np.abs(matrix).max() / np.float32(LARGEST)
    for rows in (matrix[:1], matrix):  # the first row tells already, most of the time
        if not step or np.abs(rows / step - np.rint(rows / step)).max() > ON_GRID:
            return None
    return np.full(len(matrix), step, np.float32)


def linear(graph: GraphBuilder, x: str, *parts: Linear) -> str:
    """One multiplication for all the parts; their results stand side by side."""
    if graph.dtype == "int8":
        made = [quantised(part.matrix) for part in parts]
        integers, steps = (
            np.concatenate([each.integers for each in made]),
            np.concatenate([each.steps for each in made]),
        )
        product = multiply(graph, x, Quantised(integers, steps))
        bias = _bias(parts)
        return product if bias is None else graph("Add", product, graph.weight(bias))
    matrix = parts[0].matrix if len(parts) == 1 else np.concatenate([part.matrix for part in parts])
    # As it lies in memory, so that it need not be copied.
    across = not matrix.flags.c_contiguous
    inputs = [x, graph.weight(matrix.T if across else matrix)]
    if (bias := _bias(parts)) is not None:
        inputs.append(graph.weight(bias))
    return graph("Gemm", *inputs, transB=int(not across))


def _bias(parts: Sequence[Linear]) -> Tensor | None:
    if all(part.bias is None for part in parts):
        return None
    return np.concatenate(
        [np.zeros(len(part.matrix), np.float32) if part.bias is None else part.bias for part in parts]
    )


def multiply(graph: GraphBuilder, x: str, matrix: Quantised) -> str:
    """x [rows, in] by a matrix → [rows, out]; rounded once, however many matrices it is multiplied by."""
    integers, steps = rounded(graph, x)
    product = graph(
        "MatMulIntegerToFloat",
        integers,
        graph.weight(matrix.integers.T, np.int8),
        graph.weight(1.0),
        graph.weight(matrix.steps),
        graph.weight(MIDDLE, np.uint8),
        graph.weight(0, np.int8),
        domain=CONTRIB,
    )
    return graph("Mul", product, steps)


def rounded(graph: GraphBuilder, x: str) -> tuple[str, str]:
    """x [rows, in] as unsigned bytes around `MIDDLE`, and the step of each row, [rows, 1]."""

    def make() -> tuple[str, str]:
        largest = graph("ReduceMax", graph("Abs", x), graph.numbers(1), keepdims=1)
        steps = graph("Mul", largest, graph.weight(1 / LARGEST))
        steps = graph("Max", steps, graph.weight(SMALLEST_STEP))
        each = graph("Squeeze", steps, graph.numbers(1))
        middles = graph("Expand", graph.weight([MIDDLE], np.uint8), graph("Shape", each))
        return graph("QuantizeLinear", x, each, middles, axis=0), steps

    return graph.once(("rounded", x), make)
