"""The logits of a vocabulary, in any number format; the results are always in single precision."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.builder import FLOAT, GraphBuilder
from mtprobe.engine.graphs.linear import ZERO_POINT, Quantised, multiply, quantise, quantise_rows
from mtprobe.engine.graphs.weights import Linear


@dataclass(frozen=True)
class Logits:
    """The output projection of a model."""

    graph: GraphBuilder
    output: Linear

    def of_block(self, hidden: str, words: range) -> str:
        """[rows, width] → [rows, words]."""
        graph, output, block = self.graph, self.output, slice(words.start, words.stop)
        bias = None if output.bias is None else graph.weight(output.bias[block], np.float32)
        if graph.dtype == "int8":
            logits = multiply(graph, hidden, self._quantised.words(words))
        else:
            inputs = [
                hidden,
                graph.weight(self._matrix[block], self._matrix.dtype.type),
            ]  # a view, not a copy
            if graph.dtype == "fp32" and bias is not None:
                return graph("Gemm", *inputs, bias, transB=1)
            # A bias may exclude a word by a number outside the range of half precision.
            logits = graph.single(graph("Gemm", *inputs, transB=1))
        return logits if bias is None else graph("Add", logits, bias)

    def of_all(self, hidden: str) -> str:
        """[rows, width] → [rows, vocabulary]."""
        graph, output = self.graph, self.output
        if graph.dtype != "fp32" or output.bias is None:
            return self.of_block(hidden, range(len(output.matrix)))
        # The bias as one more row of the matrix, multiplied by 1: cheaper than adding it.
        with_one = graph("Pad", hidden, graph.numbers(0, 0, 0, 1), graph.weight(1.0))
        return graph("MatMul", with_one, graph.weight(np.vstack([output.matrix.T, output.bias])))

    def of_words(self, hidden: str, words: str) -> str:
        """The logit of one word per row, [rows]: as `of_block`, except for the order of summation."""
        graph, output = self.graph, self.output
        if graph.dtype == "int8":
            logits = self._quantised_products(hidden, words)
        else:
            rows = graph.single(
                graph("Gather", graph.weight(self._matrix, self._matrix.dtype.type), words, axis=0)
            )
            logits = self._sum(graph("Mul", graph.single(hidden), rows))
        if output.bias is None:
            return logits
        return graph("Add", logits, graph("Gather", graph.weight(output.bias, np.float32), words, axis=0))

    def _quantised_products(self, hidden: str, words: str) -> str:
        graph, matrix = self.graph, self._quantised
        integers, steps = quantise_rows(graph, hidden, "asked")
        centred = graph("Sub", graph("Cast", integers, to=FLOAT), graph.weight(ZERO_POINT))
        rows = graph("Cast", graph("Gather", graph.weight(matrix.integers, np.int8), words, axis=0), to=FLOAT)
        product = graph(
            "Mul", self._sum(graph("Mul", centred, rows)), graph("Squeeze", steps, graph.numbers(1))
        )
        return graph("Mul", product, graph("Gather", graph.weight(matrix.steps), words, axis=0))

    def _sum(self, products: str) -> str:
        return self.graph("ReduceSum", products, self.graph.numbers(1), keepdims=0)

    @cached_property
    def _matrix(self) -> npt.NDArray[np.floating]:
        return self.graph.array(self.output.matrix)

    @cached_property
    def _quantised(self) -> Quantised:
        return quantise(self.output.matrix)
